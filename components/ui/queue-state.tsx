import { Badge, type BadgeTone } from "./badge"
import { Time } from "./time"

interface QueueStateProps {
  label: string
  tone: BadgeTone
  /** When the next attempt is due, in ISO 8601. Null: none will follow. */
  nextAt: string | null
}

/** Shows the state of a queued message in a table's cell. */
export function QueueState({ label, tone, nextAt }: QueueStateProps) {
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1 max-sm:justify-end">
      <Badge tone={tone}>{label}</Badge>
      {nextAt ? (
        <span className="text-ink-muted text-sm">
          next at <Time at={nextAt} as="minute" />
        </span>
      ) : null}
    </span>
  )
}
