"use client"
import clsx from "clsx"
import { ActionButton } from "@/components/form/action-button"
import { Link } from "@/components/link/link"
import { countDone, STEP_NAMES, type StepName } from "@/lib/shared/first-steps/steps"
import { markFirstStepsAction } from "./actions"
import { announceAnswerRead, StepMark, useFirstSteps } from "./first-steps"

const STEPS: Record<StepName, { label: string; href: string }> = {
  keyCreated: { label: "Create a key", href: "/keys" },
  decisionSent: { label: "Send the first decision", href: "/start#send" },
  answerRead: { label: "Read the answer", href: "/docs/quickstart#read-the-answer" },
}

interface FirstStepsCardProps {
  onNavigate?: () => void
}

/**
 * Shows the first steps of a new account. Once they are hidden, it shows only a link to their page while a step is open.
 * Renders nothing if all steps were done when the page loaded.
 */
export function FirstStepsCard({ onNavigate }: FirstStepsCardProps) {
  const context = useFirstSteps()
  if (!context?.hadOpenSteps) return null
  const { steps } = context
  const done = countDone(steps)
  const isComplete = done === STEP_NAMES.length
  if (steps.isHidden) return isComplete ? null : <HiddenSteps done={done} onNavigate={onNavigate} />
  return (
    <section aria-label="First steps" className="flex flex-col gap-1 border-line border-t pt-3">
      <div className="flex items-center justify-between gap-2">
        <p className="font-medium text-sm">
          First steps{" "}
          <span className="font-normal text-ink-muted tabular-nums">
            {done} of {STEP_NAMES.length}
          </span>
        </p>
        <div className="-mr-2.5">
          <ActionButton action={markFirstStepsAction} input="hidden" pendingLabel="Hiding…" variant="quiet" size="sm">
            Hide
          </ActionButton>
        </div>
      </div>
      <ol className="flex flex-col">
        {STEP_NAMES.map((name) => (
          <li key={name}>
            <Link
              href={STEPS[name].href}
              onClick={() => {
                if (name === "answerRead" && steps.decisionSent && !steps.answerRead) announceAnswerRead()
                onNavigate?.()
              }}
              className={clsx(
                "flex min-h-8 items-center gap-2 rounded-md text-sm hover:text-accent pointer-coarse:min-h-11",
                steps[name] ? "text-ink-muted" : "text-ink",
              )}
            >
              <StepMark name={name} />
              {STEPS[name].label}
            </Link>
          </li>
        ))}
      </ol>
      <p role="status" className="text-ink-muted text-sm">
        {isComplete ? (
          "All done. Read the docs to learn more."
        ) : (
          <span className="sr-only">
            {done} of {STEP_NAMES.length} first steps done
          </span>
        )}
      </p>
    </section>
  )
}

function HiddenSteps({ done, onNavigate }: FirstStepsCardProps & { done: number }) {
  return (
    <Link
      href="/start"
      onClick={onNavigate}
      className="flex min-h-8 items-center rounded-md text-ink-muted text-sm hover:text-ink pointer-coarse:min-h-11"
    >
      First steps, {done} of {STEP_NAMES.length}
    </Link>
  )
}

export function FirstStepsChip() {
  const context = useFirstSteps()
  if (!context?.hadOpenSteps || context.steps.isHidden) return null
  const done = countDone(context.steps)
  if (done === STEP_NAMES.length) return null
  return (
    <Link
      href="/start"
      className="ml-auto inline-flex h-8 items-center rounded-md bg-accent-soft px-2.5 font-medium text-accent-strong text-sm tabular-nums pointer-coarse:h-11"
    >
      <span className="whitespace-pre max-[26rem]:sr-only">First steps </span>
      {done}/{STEP_NAMES.length}
    </Link>
  )
}
