"use client"
import { ArrowDown, ArrowUp, Copy, Trash2 } from "lucide-react"
import { useFormContext, useWatch } from "react-hook-form"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Select } from "@/components/ui/select"
import { Textarea } from "@/components/ui/textarea"
import type { PlaygroundForm } from "@/lib/playground/schema"
import { ChoiceCriteria } from "./choice-criteria"
import { IconButton } from "./icon-button"
import { NoulCriteria } from "./noul-criteria"
import { ScoreCriteria } from "./score-criteria"

interface QuestionCardProps {
  index: number
  isLast: boolean
  onMove: (by: -1 | 1) => void
  onDuplicate: () => void
  onRemove: () => void
}

/** One question: name, type, instructions, and the criteria of its type. */
export function QuestionCard({ index, isLast, onMove, onDuplicate, onRemove }: QuestionCardProps) {
  const { register, formState } = useFormContext<PlaygroundForm>()
  const path = `questions.${index}` as const
  const type = useWatch<PlaygroundForm, `questions.${number}.type`>({ name: `${path}.type` })
  const name = useWatch<PlaygroundForm, `questions.${number}.name`>({ name: `${path}.name` })
  const errors = formState.errors.questions?.[index]
  const what = name || `question ${index + 1}`
  return (
    <fieldset className="@container flex flex-col gap-4 rounded-lg border border-line bg-surface p-4">
      <legend className="sr-only">Question {what}</legend>
      <div className="-mt-1 -mr-1 flex items-center justify-between">
        <span className="text-ink-muted text-sm tabular-nums">Question {index + 1}</span>
        <span className="flex">
          <IconButton icon={ArrowUp} label={`Move ${what} up`} disabled={index === 0} onClick={() => onMove(-1)} />
          <IconButton icon={ArrowDown} label={`Move ${what} down`} disabled={isLast} onClick={() => onMove(1)} />
          <IconButton icon={Copy} label={`Duplicate ${what}`} onClick={onDuplicate} />
          <IconButton icon={Trash2} label={`Remove ${what}`} onClick={onRemove} />
        </span>
      </div>
      <div className="grid gap-4 @md:grid-cols-[minmax(0,1fr)_12rem]">
        <Field label="Name" error={errors?.name?.message}>
          <Input mono autoComplete="off" autoCapitalize="none" spellCheck={false} {...register(`${path}.name`)} />
        </Field>
        <Field label="Type" error={errors?.type?.message}>
          <Select {...register(`${path}.type`)}>
            <option value="noul">noul: yes or no</option>
            <option value="choice">choice: one of several</option>
            <option value="score">score: a level</option>
          </Select>
        </Field>
      </div>
      <Field label="Instructions" error={errors?.instructions?.text?.message}>
        <Textarea rows={2} {...register(`${path}.instructions.text`)} />
      </Field>
      {type === "noul" ? <NoulCriteria index={index} /> : null}
      {type === "choice" ? <ChoiceCriteria key={index} index={index} /> : null}
      {type === "score" ? <ScoreCriteria key={index} index={index} /> : null}
    </fieldset>
  )
}
