"use client"
import clsx from "clsx"
import { ArrowDown, ArrowUp, Copy, GripVertical, Trash2 } from "lucide-react"
import type { PointerEvent } from "react"
import { useWatch } from "react-hook-form"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Select } from "@/components/ui/select"
import type { PlaygroundForm, QuestionForm } from "@/lib/shared/playground/schema"
import { ChoiceCriteria } from "./choice-criteria"
import { useFieldError, useRegister } from "./form-paths"
import { HintList } from "./hint-list"
import { IconButton } from "./icon-button"
import { NoulCriteria } from "./noul-criteria"
import { ScoreCriteria } from "./score-criteria"
import { WordsInput } from "./words-input"

export interface QuestionActions {
  onMove: (by: -1 | 1) => void
  onDuplicate: () => void
  onRemove: () => void
  onFix: (apply: (question: QuestionForm) => QuestionForm) => void
}

interface QuestionCardProps extends QuestionActions {
  isDragged: boolean
  /** Takes it by its handle. */
  onGrab: (event: PointerEvent<HTMLElement>) => void
  index: number
  isLast: boolean
}

/** One question: name, type, instructions, and the criteria of its type. */
export function QuestionCard({ index, isLast, isDragged, onGrab, onFix, ...actions }: QuestionCardProps) {
  const register = useRegister()
  const path = `questions.${index}` as const
  const type = useWatch<PlaygroundForm, `questions.${number}.type`>({ name: `${path}.type` })
  const name = useWatch<PlaygroundForm, `questions.${number}.name`>({ name: `${path}.name` })
  const [nameError, typeError] = [useFieldError(`${path}.name`), useFieldError(`${path}.type`)]
  const what = name || `question ${index + 1}`
  return (
    <fieldset
      tabIndex={-1}
      data-question={index}
      className={clsx(
        "@container relative flex flex-col gap-4 rounded-lg border bg-surface p-4",
        isDragged ? "border-accent opacity-60" : "border-line",
      )}
    >
      <legend className="sr-only">Question {what}</legend>
      <div className="-mt-1 -mr-1 -ml-2 flex items-center justify-between">
        <span
          onPointerDown={onGrab}
          aria-hidden
          title="Drag to reorder"
          className="flex cursor-grab touch-none items-center gap-1 text-ink-muted text-sm tabular-nums active:cursor-grabbing pointer-coarse:min-h-11"
        >
          <GripVertical className="size-4" />
          Question {index + 1}
        </span>
        <CardButtons what={what} index={index} isLast={isLast} {...actions} />
      </div>
      <div className="grid gap-4 @md:grid-cols-[minmax(0,1fr)_12rem]">
        <Field label="Name" error={nameError}>
          <Input mono autoComplete="off" autoCapitalize="none" spellCheck={false} {...register(`${path}.name`)} />
        </Field>
        <Field label="Type" error={typeError}>
          <Select {...register(`${path}.type`)}>
            <option value="noul">noul: yes or no</option>
            <option value="choice">choice: one of several</option>
            <option value="score">score: a level</option>
          </Select>
        </Field>
      </div>
      <WordsInput path={`${path}.instructions`} label="Instructions" isLabelShown rows={2} />
      {type === "noul" ? <NoulCriteria index={index} /> : null}
      {type === "choice" ? <ChoiceCriteria key={index} index={index} /> : null}
      {type === "score" ? <ScoreCriteria key={index} index={index} /> : null}
      <HintList index={index} onFix={onFix} />
    </fieldset>
  )
}

interface CardButtonsProps extends Omit<QuestionActions, "onFix"> {
  what: string
  index: number
  isLast: boolean
}

function CardButtons({ what, index, isLast, onMove, onDuplicate, onRemove }: CardButtonsProps) {
  return (
    <span className="flex">
      <IconButton icon={ArrowUp} label={`Move ${what} up`} disabled={index === 0} onClick={() => onMove(-1)} />
      <IconButton icon={ArrowDown} label={`Move ${what} down`} disabled={isLast} onClick={() => onMove(1)} />
      <IconButton icon={Copy} label={`Duplicate ${what}`} onClick={onDuplicate} />
      <IconButton icon={Trash2} label={`Remove ${what}`} onClick={onRemove} />
    </span>
  )
}
