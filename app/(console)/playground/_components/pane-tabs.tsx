"use client"
import clsx from "clsx"

export type Pane = "request" | "answers"

const PANES: readonly { pane: Pane; label: string }[] = [
  { pane: "request", label: "Request" },
  { pane: "answers", label: "Answers" },
]

/** Below 1024 px there is room for one side at a time. */
export function PaneTabs({ pane, onPane }: { pane: Pane; onPane: (pane: Pane) => void }) {
  return (
    <div className="flex gap-1 border-line border-b lg:hidden">
      {PANES.map((choice) => (
        <button
          key={choice.pane}
          type="button"
          aria-pressed={choice.pane === pane}
          aria-controls={`pane-${choice.pane}`}
          onClick={() => onPane(choice.pane)}
          className={clsx(
            "-mb-px inline-flex h-9 flex-1 items-center justify-center border-b-2 px-3 font-medium pointer-coarse:min-h-11",
            choice.pane === pane ? "border-accent text-ink" : "border-transparent text-ink-muted hover:text-ink",
          )}
        >
          {choice.label}
        </button>
      ))}
    </div>
  )
}
