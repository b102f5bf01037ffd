"use client"
import clsx from "clsx"
import { Braces, Type } from "lucide-react"
import { memo, useCallback, useId, useMemo, useState } from "react"
import { flushSync } from "react-dom"
import { FieldError } from "@/components/ui/field"
import { focusFieldNow } from "@/components/ui/focus-field"
import { IconButton } from "@/components/ui/icon-button"
import { Textarea } from "@/components/ui/textarea"
import { formatCount } from "@/lib/shared/format"
import type { TextOrJson } from "@/lib/shared/json-source/text-or-json"
import { isSlowToEdit } from "@/lib/shared/long-runs"
import type { QuestionChange, QuestionForm } from "@/questions/question-form"
import type { ShapeLimits } from "./limits"

export type FieldErrors = Readonly<Record<string, string>>

/** Changes a question. `undo` is offered to the user after the change; `announcement` is for screen readers. */
export type ChangeQuestion = (
  change: QuestionChange,
  after?: { undo?: { label: string; change: QuestionChange }; announcement?: string },
) => void

export interface QuestionFieldsProps {
  question: QuestionForm
  /** Path of the question, such as `questions.0`. Field names and errors begin with it. */
  path: string
  errors: FieldErrors
  limits: ShapeLimits
  /** Stable between renders. */
  onChange: ChangeQuestion
}

interface TextOrJsonInputProps {
  path: string
  label: string
  isLabelShown?: boolean
  rows?: number
  value: TextOrJson
  error: string | undefined
  onValue: (value: TextOrJson) => void
}

/** How much is shown of a text that would stop the page. */
const EXCERPT_LENGTH = 2_000

/** Memoized: with a stable `onValue`, typing in another field of the question does not render this one. */
export const TextOrJsonInput = memo(function TextOrJsonInput(props: TextOrJsonInputProps) {
  const { path, label, isLabelShown = false, rows = 1, value, error, onValue } = props
  const id = useId()
  const isJson = value.kind === "json"
  const [isChosen, setChosen] = useState(false)
  const isSlow = useMemo(() => isSlowToEdit(value.text), [value.text])
  const isExcerpt = isSlow && !isChosen
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-1.5">
      {isLabelShown ? (
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
      ) : null}
      <div className="relative">
        <Textarea
          id={id}
          name={`${path}.text`}
          rows={rows}
          mono={isJson}
          spellCheck={!isJson}
          aria-label={isLabelShown ? undefined : isJson ? `${label}, as JSON` : label}
          aria-invalid={error ? true : undefined}
          aria-describedby={clsx(error && `${id}-error`, isExcerpt && `${id}-excerpt`) || undefined}
          readOnly={isExcerpt}
          className="block field-sizing-content max-h-80 min-h-9 supports-[field-sizing:content]:resize-none pr-9 pointer-coarse:min-h-11 pointer-coarse:pr-12"
          value={isExcerpt ? value.text.slice(0, EXCERPT_LENGTH) : value.text}
          // Who types or pastes such a text goes on in the same field.
          onFocus={isSlow ? undefined : () => setChosen(true)}
          onChange={(event) => onValue({ ...value, text: event.target.value })}
          // A browser reveals only the caret's line of what Tab focuses. The sticky run bar could cover the rest.
          onKeyUp={(event) => event.key === "Tab" && event.currentTarget.scrollIntoView({ block: "nearest" })}
        />
        {/* A text area that does not wrap scrolls its text over its padding, below the button. */}
        <span
          className={clsx("absolute top-px right-px rounded-r-md pt-px pr-px", isExcerpt ? "bg-sunken" : "bg-surface")}
        >
          <IconButton
            icon={isJson ? Type : Braces}
            label={`Write as ${isJson ? "text" : "JSON"}: ${label}`}
            onClick={() => onValue({ ...value, kind: isJson ? "text" : "json" })}
          />
        </span>
      </div>
      {isExcerpt ? (
        <Excerpt
          id={`${id}-excerpt`}
          length={value.text.length}
          onEdit={() => {
            flushSync(() => setChosen(true))
            focusFieldNow(`${path}.text`)
          }}
        />
      ) : null}
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  )
})

interface ExcerptProps {
  id: string
  length: number
  onEdit: () => void
}

function Excerpt({ id, length, onEdit }: ExcerptProps) {
  return (
    <p id={id} className="text-ink-muted text-sm">
      These are the first {formatCount(EXCERPT_LENGTH)} of {formatCount(length)} characters. All of them could make this
      page slow.{" "}
      <button type="button" className="text-accent underline pointer-coarse:min-h-11" onClick={onEdit}>
        Edit all
      </button>
    </p>
  )
}

/** Returns a stable function that changes one text of a question. */
export const useTextChange = <Name extends string>(onChange: ChangeQuestion, name: Name) =>
  useCallback((text: TextOrJson) => onChange((before) => ({ ...before, [name]: text })), [onChange, name])

interface ListErrorProps {
  /** Path of the list, ending in `.root`. */
  field: string
  message: string | undefined
}

/** An error of a whole list, such as too many questions. It can get the focus. */
export function ListError({ field, message }: ListErrorProps) {
  return (
    <div id={field} tabIndex={-1} className="rounded-sm empty:hidden">
      <FieldError>{message}</FieldError>
    </div>
  )
}
