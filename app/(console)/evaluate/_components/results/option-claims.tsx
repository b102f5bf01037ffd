"use client"
import { type Column, Table } from "@/components/ui/table"
import type { OptionClaim } from "@/lib/shared/evaluate/figures/automate-threshold"
import { formatShare } from "@/lib/shared/evaluate/figures/figure-text"
import { formatCount } from "@/lib/shared/format"
import { shortText } from "@/lib/shared/long-runs"

const COLUMNS: Column<OptionClaim>[] = [
  { head: "Answer", cell: ({ option }) => <span className="wrap-anywhere">{shortText(option)}</span> },
  { head: "Probability from", align: "right", cell: ({ from }) => from },
  { head: "Automatic", align: "right", cell: ({ automatic }) => formatCount(automatic) },
  { head: "Wrong", align: "right", cell: ({ wrong }) => formatCount(wrong) },
]

/** Lists the options for which the target holds by themselves, and names those with too few rows. */
export function OptionClaims({ claims, target }: { claims: OptionClaim[]; target: number }) {
  if (claims.length === 0) return null
  const proved = claims.filter(({ from }) => from !== null)
  const open = claims.filter(({ from }) => from === null).map(({ option }) => shortText(option))
  return (
    <div className="flex flex-col gap-3">
      {proved.length > 0 ? (
        <>
          <p className="max-w-text">
            For these answers alone, from their own probability up, at most {formatShare(target)} are wrong. These
            claims hold together (95% confidence).
          </p>
          <Table
            caption="Claims for single options"
            columns={COLUMNS}
            rows={proved}
            rowKey={({ option }) => option}
            className="max-w-xl"
          />
        </>
      ) : null}
      {open.length > 0 ? (
        <p className="wrap-anywhere max-w-text text-ink-muted text-sm">
          Not enough rows for: {open.slice(0, SHOWN).join(", ")}
          {open.length > SHOWN ? ` and ${open.length - SHOWN} more` : ""}. Each of these answers may be wrong more often
          than all automatic answers together.
        </p>
      ) : null}
    </div>
  )
}

const SHOWN = 10
