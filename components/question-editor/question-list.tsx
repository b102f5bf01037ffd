"use client"
import clsx from "clsx"
import { Plus } from "lucide-react"
import { useState } from "react"
import { flushSync } from "react-dom"
import { afterPress } from "@/components/timing/after-paint"
import { useGrowingCount } from "@/components/timing/use-growing-count"
import { Button } from "@/components/ui/button"
import { focusFieldNow } from "@/components/ui/focus-field"
import { countOf } from "@/lib/shared/format"
import type { QuestionList as Questions, QuestionsAction } from "@/lib/shared/request-form/edit-questions"
import { type FieldErrors, ListError } from "@/questions/field-parts"
import type { ShapeLimits } from "@/questions/limits"
import type { QuestionForm } from "@/questions/question-form"
import { QUESTION_TYPES, TYPE_NAMES } from "@/questions/question-types"
import { QuestionCard } from "./question-card"
import { useDragOrder } from "./use-drag-order"

const LANDING = "before:absolute before:inset-x-0 before:-top-2.5 before:h-0.5 before:rounded-full before:bg-accent"
const LANDING_LAST = "after:absolute after:inset-x-0 after:-bottom-2.5 after:h-0.5 after:rounded-full after:bg-accent"

const CARDS = { first: 5, more: 2 }

interface QuestionListProps extends Questions {
  settledQuestions: QuestionForm[]
  errors: FieldErrors
  limits: ShapeLimits
  /** Renders only the first question, while the page around it is not painted yet. */
  isFirstOnly?: boolean
  dispatch: (action: QuestionsAction) => void
}

export function QuestionList(props: QuestionListProps) {
  const { questions, limits, errors, isFirstOnly = false, dispatch } = props
  const add = (questionType: QuestionForm["type"]) => {
    flushSync(() => dispatch({ type: "question_added", questionType }))
    focusFieldNow(`questions.${questions.length}.instructions.text`)
  }
  return (
    <section aria-label="Questions" className="flex flex-col gap-3">
      <h2 className="flex items-baseline justify-between font-medium">
        Questions
        <span
          className={clsx(
            "text-sm tabular-nums",
            questions.length > limits.maxQuestions ? "font-medium text-danger" : "font-normal text-ink-muted",
          )}
        >
          {questions.length} of {limits.maxQuestions}
        </span>
      </h2>
      <ListError field="questions.root" message={errors["questions.root"]} />
      <Cards key={useGeneration(props.keys)} {...props} />
      {isFirstOnly ? null : (
        <AddQuestion max={limits.maxQuestions} isFull={questions.length >= limits.maxQuestions} onAdd={add} />
      )}
    </section>
  )
}

/** Counts how often the whole list was replaced by another. */
function useGeneration(keys: number[]): number {
  const [known, setKnown] = useState(keys)
  const [generation, setGeneration] = useState(0)
  if (keys !== known) {
    setKnown(keys)
    if (!keys.some((key) => known.includes(key))) setGeneration(generation + 1)
  }
  return generation
}

function Cards(props: QuestionListProps) {
  const { questions, keys, settledQuestions, errors, limits, isFirstOnly = false, dispatch } = props
  const count = useGrowingCount(questions.length, CARDS)
  const { drag, start } = useDragOrder({
    items: "[data-question]",
    onMove: (from, to) => dispatch({ type: "question_moved", from, to }),
  })
  const last = questions.length - 1
  const landing = (index: number) => {
    if (!drag || drag.gap === drag.from || drag.gap === drag.from + 1) return undefined
    if (drag.gap === index) return LANDING
    return drag.gap === questions.length && index === last ? LANDING_LAST : undefined
  }
  return (
    <ol className="flex flex-col gap-4">
      {questions.slice(0, isFirstOnly ? 1 : count).map((question, index) => (
        <li
          key={keys[index]}
          className={clsx("skip-offscreen relative [contain-intrinsic-height:auto_24rem]", landing(index))}
        >
          <QuestionCard
            question={question}
            settledQuestion={settledQuestions[index]}
            index={index}
            isLast={index === last}
            isDragged={drag?.from === index}
            errors={errors}
            limits={limits}
            dispatch={dispatch}
            onGrab={start}
          />
        </li>
      ))}
    </ol>
  )
}

interface AddQuestionProps {
  max: number
  isFull: boolean
  onAdd: (type: QuestionForm["type"]) => void
}

function AddQuestion({ max, isFull, onAdd }: AddQuestionProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      {TYPE_NAMES.map((type) => (
        <Button
          key={type}
          variant="secondary"
          size="sm"
          disabled={isFull}
          // A new card takes several frames on a slow phone.
          onClick={(event) => afterPress(event, () => onAdd(type))}
        >
          <Plus aria-hidden className="size-4" />
          {QUESTION_TYPES[type].addLabel}
        </Button>
      ))}
      {isFull ? (
        <p className="text-ink-muted text-sm">This model accepts at most {countOf(max, "question")} per request.</p>
      ) : null}
    </div>
  )
}
