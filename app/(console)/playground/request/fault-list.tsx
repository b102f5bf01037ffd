"use client"
import { CircleAlert } from "lucide-react"
import { LazyDetails } from "@/components/ui/lazy-details"
import { countOf } from "@/lib/shared/format"
import { describeFault, type Fault } from "@/lib/shared/request-form/find-fault"
import { MAX_REFUSALS } from "@/questions/check-fields"

/** More would push the editor out of the window. */
const MAX_SHOWN = 3

interface FaultListProps {
  faults: readonly Fault[]
  /** Shows a fault in the editor; undefined until the editor is loaded. */
  onGo: ((fault: Fault) => void) | undefined
}

/** Lists the errors in a JSON text, the first three at once. */
export function FaultList({ faults, onGo }: FaultListProps) {
  const folded = faults.slice(MAX_SHOWN)
  const isCut = faults.length === MAX_REFUSALS
  return (
    <div className="flex min-w-0 gap-1.5">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
      <div className="flex min-w-0 flex-col gap-0.5">
        <Faults faults={faults.slice(0, MAX_SHOWN)} onGo={onGo} />
        {folded.length > 0 ? (
          <LazyDetails
            summary={`${isCut ? "At least " : ""}${countOf(folded.length, "more error")}`}
            summaryClassName="rounded-sm text-ink-muted pointer-coarse:py-2"
          >
            <Faults faults={folded} onGo={onGo} />
          </LazyDetails>
        ) : null}
      </div>
    </div>
  )
}

function Faults({ faults, onGo }: FaultListProps) {
  return (
    <ul className="flex flex-col gap-0.5">
      {faults.map((fault) => (
        <li key={`${fault.from} ${fault.message}`}>
          <span className="break-words font-medium text-danger">{describeFault(fault)}</span>{" "}
          {onGo ? (
            <button type="button" className="text-accent underline pointer-coarse:min-h-11" onClick={() => onGo(fault)}>
              Go to error
            </button>
          ) : null}
        </li>
      ))}
    </ul>
  )
}
