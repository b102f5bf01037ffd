"use client"
import { type Column, Table } from "@/components/ui/table"
import { formatBound, type OptionClaim } from "@/lib/shared/evaluate/figures/automation"
import { formatCount } from "@/lib/shared/format"
import { shortText } from "@/lib/shared/long-runs"

const COLUMNS: Column<OptionClaim>[] = [
  { head: "Answer", cell: ({ option }) => <span className="wrap-anywhere">{shortText(option)}</span> },
  { head: "Probability from", align: "right", cell: ({ from }) => from },
  { head: "Automatic", align: "right", cell: ({ automatic }) => formatCount(automatic) },
  { head: "Wrong", align: "right", cell: ({ wrong }) => formatCount(wrong) },
]

interface OptionClaimsProps {
  claims: OptionClaim[]
  target: number
  /** Whether these thresholds are the rule. Otherwise they only add to the one for all answers. */
  isRule: boolean
}

/** Lists the options for which the target holds by themselves, and names the others with the reason. */
export function OptionClaims({ claims, target, isRule }: OptionClaimsProps) {
  const proved = claims.filter(({ from }) => from !== null)
  const withFault = (fault: OptionClaim["fault"]) => claims.filter((claim) => claim.fault === fault)
  return (
    <div className="flex flex-col gap-3">
      {proved.length > 0 ? (
        <>
          {isRule ? null : (
            <p className="max-w-text">
              For these answers alone, from their own probability up, at most {formatBound(target)} are wrong. These
              claims hold together (95% confidence). Choose “Error target per option” to act on them.
            </p>
          )}
          <Table
            caption={isRule ? "Thresholds of single options" : "Claims for single options"}
            columns={COLUMNS}
            rows={proved}
            rowKey={({ option }) => option}
            className="max-w-xl"
          />
        </>
      ) : null}
      <Unproved lead="Not enough rows for" claims={withFault("few")} isRule={isRule} />
      <Unproved lead="The surest answers are wrong too often for" claims={withFault("surest")} isRule={isRule} />
    </div>
  )
}

function Unproved({ lead, claims, isRule }: { lead: string; claims: OptionClaim[]; isRule: boolean }) {
  if (claims.length === 0) return null
  const names = claims.slice(0, SHOWN).map(({ option }) => shortText(option))
  return (
    <p className="wrap-anywhere max-w-text text-ink-muted text-sm">
      {lead}: {names.join(", ")}
      {claims.length > SHOWN ? ` and ${claims.length - SHOWN} more` : ""}.{" "}
      {isRule
        ? "Review these answers."
        : "Each of these answers may be wrong more often than all automatic answers together."}
    </p>
  )
}

const SHOWN = 10
