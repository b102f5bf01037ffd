import clsx from "clsx"
import { Badge, type BadgeTone } from "@/components/ui/badge"
import type { Bar, PartView } from "@/lib/server/status/prepare-status"
import type { State } from "@/lib/server/status/read-status"

const STATES: Record<State, { label: string; tone: BadgeTone }> = {
  up: { label: "Operational", tone: "ok" },
  degraded: { label: "Degraded", tone: "warn" },
  down: { label: "Down", tone: "danger" },
  unknown: { label: "Unknown", tone: "neutral" },
}

const MAX_HOURS_LISTED = 6
/** More bars than this stand closer together. */
const MAX_WIDE = 24

export function Parts({ parts }: { parts: PartView[] }) {
  return (
    <ul className="flex flex-col border-line border-b">
      {parts.map((part) => (
        <Part key={`${part.name} ${part.model}`} part={part} />
      ))}
    </ul>
  )
}

function Part({ part }: { part: PartView }) {
  const { label, tone } = STATES[part.state]
  return (
    <li className="grid gap-x-8 gap-y-3 border-line border-t py-4 md:grid-cols-[minmax(0,1fr)_24rem]">
      <div className="min-w-0">
        <h2 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold text-lg">
          {part.name}
          {part.model ? <span className="break-all font-mono text-sm">{part.model}</span> : null}
          <Badge tone={tone}>{label}</Badge>
        </h2>
        <p className="mt-0.5 text-ink-muted">{part.sentence}</p>
        <Failures failures={part.failures} />
      </div>
      <div className="flex flex-col gap-1.5">
        <Bars bars={part.hours} />
        <p className="text-ink-muted text-sm tabular-nums">{part.last24Hours}</p>
        <Bars bars={part.days} />
        <p className="text-ink-muted text-sm tabular-nums">{part.last90Days}</p>
      </div>
    </li>
  )
}

function Failures({ failures }: { failures: string[] }) {
  if (failures.length === 0) return null
  const shown = failures.slice(-MAX_HOURS_LISTED)
  const more = failures.length - shown.length
  return (
    <p className="mt-1 text-ink-muted text-sm">
      Hours with failed checks: {shown.join(", ")}
      {more > 0 ? ` and ${more} earlier` : ""}.
    </p>
  )
}

/** The height of a bar says what its colour says: full when all checks passed, low when most failed, a line without checks. */
function shapeOf(share: number | null): string {
  if (share === null) return "h-0.5 bg-line-strong"
  if (share === 1) return "h-7 bg-probability"
  return share >= 0.5 ? "h-5 bg-warn-fill" : "h-3 bg-danger-fill"
}

/**
 * Draws a bar for each hour or day. Assistive technology skips it: the text beside it names the latest failed hours and the shares.
 */
function Bars({ bars }: { bars: Bar[] }) {
  return (
    <div aria-hidden className={clsx("flex h-7 items-end", bars.length > MAX_WIDE ? "gap-px" : "gap-0.5")}>
      {bars.map(({ share, label }) => (
        <span
          key={label}
          title={share === null ? undefined : `${label}: ${Math.floor(share * 10_000) / 100}%`}
          className={`flex-1 rounded-sm ${shapeOf(share)}`}
        />
      ))}
    </div>
  )
}
