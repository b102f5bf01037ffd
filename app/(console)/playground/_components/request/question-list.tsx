"use client"
import clsx from "clsx"
import { Plus } from "lucide-react"
import { Button } from "@/components/ui/button"
import type { QuestionForm } from "@/lib/shared/playground/schema"
import { useFieldError } from "./form-paths"
import { ListError } from "./list-error"
import { QuestionCard } from "./question-card"
import { useRequestSide } from "./request-context"
import { useDragOrder } from "./use-drag-order"
import { useQuestions } from "./use-questions"

const TYPES: readonly { type: QuestionForm["type"]; label: string }[] = [
  { type: "noul", label: "Add yes/no" },
  { type: "choice", label: "Add choice" },
  { type: "score", label: "Add score" },
]

/** A line where the dragged question lands. */
const LANDING = "before:absolute before:inset-x-0 before:-top-2.5 before:h-0.5 before:rounded-full before:bg-accent"
const LANDING_LAST = "after:absolute after:inset-x-0 after:-bottom-2.5 after:h-0.5 after:rounded-full after:bg-accent"

/** The questions of the request, in the order in which they are asked. */
export function QuestionList() {
  const questions = useQuestions()
  const { fields } = questions
  const { limits } = useRequestSide()
  const error = useFieldError("questions.root")
  const { drag, start } = useDragOrder({ items: "[data-question]", onMove: questions.move })
  const landing = (index: number) => {
    if (!drag || drag.gap === drag.from || drag.gap === drag.from + 1) return undefined
    if (drag.gap === index) return LANDING
    return drag.gap === fields.length && index === fields.length - 1 ? LANDING_LAST : undefined
  }
  return (
    <section aria-label="Questions" className="flex flex-col gap-3">
      <h2 className="flex items-baseline justify-between font-medium">
        Questions
        <span className="font-normal text-ink-muted text-sm tabular-nums">
          {fields.length} of {limits.maxQuestions}
        </span>
      </h2>
      <ol className="flex flex-col gap-4">
        {fields.map(({ id }, index) => (
          <li key={id} className={clsx("relative", landing(index))}>
            <QuestionCard
              index={index}
              isLast={index === fields.length - 1}
              isDragged={drag?.from === index}
              onGrab={(event) => start(event, index)}
              onMove={(by) => questions.step(index, by)}
              onDuplicate={() => questions.duplicate(index)}
              onRemove={() => questions.remove(index)}
              onFix={(apply) => questions.fix(index, apply)}
            />
          </li>
        ))}
      </ol>
      <ListError field="questions.root" message={error} />
      <AddQuestion most={limits.maxQuestions} isFull={fields.length >= limits.maxQuestions} onAdd={questions.add} />
    </section>
  )
}

interface AddQuestionProps {
  most: number
  isFull: boolean
  onAdd: (type: QuestionForm["type"]) => void
}

function AddQuestion({ most, isFull, onAdd }: AddQuestionProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      {TYPES.map(({ type, label }) => (
        <Button key={type} variant="secondary" size="sm" disabled={isFull} onClick={() => onAdd(type)}>
          <Plus aria-hidden className="size-4" />
          {label}
        </Button>
      ))}
      {isFull ? <p className="text-ink-muted text-sm">The model takes at most {most} questions in a request.</p> : null}
    </div>
  )
}
