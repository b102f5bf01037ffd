"use client"
import clsx from "clsx"
import { Copy, GripVertical, Lightbulb, Trash2 } from "lucide-react"
import { memo, type PointerEvent, useMemo } from "react"
import { afterPress } from "@/components/timing/after-paint"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { IconButton } from "@/components/ui/icon-button"
import { Input } from "@/components/ui/input"
import { MoveButtons } from "@/components/ui/move-buttons"
import { Select } from "@/components/ui/select"
import type { QuestionsAction } from "@/lib/shared/request-form/edit-questions"
import { type ChangeQuestion, type FieldErrors, TextOrJsonInput, useTextChange } from "@/questions/field-parts"
import type { ShapeLimits } from "@/questions/limits"
import { QUESTION_FIELDS } from "@/questions/question-fields"
import type { QuestionForm } from "@/questions/question-form"
import { hintsOf, QUESTION_TYPES, TYPE_NAMES } from "@/questions/question-types"

/** Moves the focus into the question at an index: to the first element that matches, or to its card. */
function focusInQuestion(index: number, selector: string): void {
  requestAnimationFrame(() => {
    const card = document.querySelector<HTMLElement>(`[data-question="${index}"]`)
    const target = card?.querySelector<HTMLElement>(selector) ?? card
    target?.focus()
  })
}

interface QuestionCardProps {
  question: QuestionForm
  /** The question as it was at the last pause in typing. The hints refer to it. */
  settledQuestion: QuestionForm | undefined
  index: number
  isLast: boolean
  isDragged: boolean
  errors: FieldErrors
  limits: ShapeLimits
  dispatch: (action: QuestionsAction) => void
  /** Stable between renders. */
  onGrab: (event: PointerEvent<HTMLElement>, index: number) => void
}

/** Memoized: typing in one question renders only that question. */
export const QuestionCard = memo(function QuestionCard(props: QuestionCardProps) {
  const { question, settledQuestion, index, isLast, isDragged, errors, limits, dispatch, onGrab } = props
  const path = `questions.${index}`
  const title = question.name || `question ${index + 1}`
  const Fields = QUESTION_FIELDS[question.type]
  const onChange: ChangeQuestion = useMemo(
    () => (change, after) => dispatch({ type: "question_changed", index, change, ...after }),
    [dispatch, index],
  )
  const changeInstructions = useTextChange(onChange, "instructions")
  return (
    <fieldset
      tabIndex={-1}
      data-question={index}
      className={clsx(
        "@container relative flex flex-col gap-4 rounded-lg border bg-surface p-4",
        isDragged ? "border-accent opacity-60" : "border-line",
      )}
    >
      <legend className="sr-only">Question {question.name || index + 1}</legend>
      <div className="-mt-1 -mr-1 -ml-2 flex items-center justify-between">
        <span
          onPointerDown={(event) => onGrab(event, index)}
          aria-hidden
          title="Drag to reorder"
          className="flex cursor-grab touch-none items-center gap-1 text-ink-muted text-sm tabular-nums active:cursor-grabbing pointer-coarse:min-h-11"
        >
          <GripVertical className="size-4" />
          Question {index + 1}
        </span>
        <CardButtons title={title} index={index} isLast={isLast} dispatch={dispatch} />
      </div>
      <div className="grid gap-4 @md:grid-cols-[minmax(0,1fr)_12rem]">
        <Field label="Name" error={errors[`${path}.name`]}>
          <Input
            mono
            name={`${path}.name`}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={question.name}
            onChange={({ target }) => onChange((before) => ({ ...before, name: target.value }))}
          />
        </Field>
        <Field label="Type" error={errors[`${path}.type`]}>
          <Select
            name={`${path}.type`}
            value={question.type}
            onChange={({ target }) => onChange((before) => ({ ...before, type: target.value as QuestionForm["type"] }))}
          >
            {TYPE_NAMES.map((type) => (
              <option key={type} value={type}>
                {`${type}: ${QUESTION_TYPES[type].label}`}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <TextOrJsonInput
        path={`${path}.instructions`}
        label="Instructions"
        isLabelShown
        rows={2}
        value={question.instructions}
        error={errors[`${path}.instructions.text`]}
        onValue={changeInstructions}
      />
      <Fields question={question} path={path} errors={errors} limits={limits} onChange={onChange} />
      {settledQuestion ? <Hints question={settledQuestion} index={index} onChange={onChange} /> : null}
    </fieldset>
  )
})

interface CardButtonsProps extends Pick<QuestionCardProps, "index" | "isLast" | "dispatch"> {
  title: string
}

const CardButtons = memo(function CardButtons({ title, index, isLast, dispatch }: CardButtonsProps) {
  const duplicate = () => {
    dispatch({ type: "question_duplicated", index })
    focusInQuestion(index + 1, "input")
  }
  return (
    <span className="flex">
      <MoveButtons
        list="questions"
        at={index}
        isLast={isLast}
        name={title}
        onMove={(to) => dispatch({ type: "question_moved", from: index, to })}
      />
      <IconButton icon={Copy} label={`Duplicate ${title}`} onClick={duplicate} />
      <IconButton
        icon={Trash2}
        label={`Remove ${title}`}
        onClick={(event) => afterPress(event, () => dispatch({ type: "question_removed", index }))}
      />
    </span>
  )
})

interface HintsProps {
  question: QuestionForm
  index: number
  onChange: ChangeQuestion
}

const Hints = memo(function Hints({ question, index, onChange }: HintsProps) {
  const hints = useMemo(() => hintsOf(question.type, question), [question])
  if (hints.length === 0) return null
  return (
    <ul aria-label="Hints" className="flex flex-col gap-2 border-line border-t pt-3">
      {hints.map(({ rule, message, fix }) => (
        <li key={rule} className="flex flex-wrap items-start gap-x-3 gap-y-1 text-ink-muted text-sm">
          <Lightbulb aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
          <span className="min-w-0 flex-1 basis-56">{message}</span>
          {fix ? (
            <Button
              variant="secondary"
              size="sm"
              onClick={() => {
                onChange((before) => ({ ...before, ...fix.change(before) }))
                focusInQuestion(index, "textarea")
              }}
            >
              {fix.label}
            </Button>
          ) : null}
        </li>
      ))}
    </ul>
  )
})
