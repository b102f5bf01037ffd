"use client"
import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react"
import { useFieldArray, useFormContext } from "react-hook-form"
import { Button } from "@/components/ui/button"
import type { PlaygroundForm } from "@/lib/shared/playground/schema"
import { asText } from "@/lib/shared/playground/words"
import { useFieldError } from "./form-paths"
import { IconButton } from "./icon-button"
import { ListError } from "./list-error"
import { useRequestSide } from "./request-context"
import { WordsInput } from "./words-input"

/** The levels of a score, counted from 0. */
export function ScoreCriteria({ index }: { index: number }) {
  const { control, getValues } = useFormContext<PlaygroundForm>()
  const path = `questions.${index}.levels` as const
  const { fields, append, remove, insert, move } = useFieldArray({ control, name: path })
  const { limits, offerUndo, announce } = useRequestSide()
  const listError = useFieldError(`${path}.root`)
  const isFull = fields.length >= limits.maxLevels
  const removeAt = (at: number) => {
    const level = structuredClone(getValues(`${path}.${at}`))
    remove(at)
    offerUndo({ done: `Removed level ${at}`, undo: () => insert(at, level) })
  }
  const moveTo = (at: number, to: number) => {
    move(at, to)
    announce(`Level ${at} is now level ${to}`)
  }
  return (
    <div className="flex flex-col gap-2">
      <p className="font-medium">Levels, from the lowest</p>
      <ol className="flex flex-col gap-2">
        {fields.map((field, at) => (
          <LevelRow
            key={field.id}
            path={`${path}.${at}`}
            at={at}
            isLast={at === fields.length - 1}
            onMove={(by) => moveTo(at, at + by)}
            onRemove={() => removeAt(at)}
          />
        ))}
      </ol>
      <ListError field={`${path}.root`} message={listError} />
      <Button
        variant="quiet"
        size="sm"
        className="self-start"
        disabled={isFull}
        title={isFull ? `This model takes at most ${limits.maxLevels} levels` : undefined}
        onClick={() => append({ label: asText("") }, { focusName: `${path}.${fields.length}.label.text` })}
      >
        <Plus aria-hidden className="size-4" />
        Add level
      </Button>
    </div>
  )
}

interface LevelRowProps {
  path: `questions.${number}.levels.${number}`
  at: number
  isLast: boolean
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

function LevelRow({ path, at, isLast, onMove, onRemove }: LevelRowProps) {
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] items-start gap-2 @md:grid-cols-[1rem_minmax(0,1fr)_auto]">
      <span aria-hidden className="pt-2 text-right font-mono text-ink-muted text-sm">
        {at}
      </span>
      <WordsInput path={`${path}.label`} label={`Level ${at}`} />
      <span className="@max-md:col-start-2 flex @max-md:justify-self-end">
        <IconButton icon={ArrowUp} label={`Move level ${at} up`} disabled={at === 0} onClick={() => onMove(-1)} />
        <IconButton icon={ArrowDown} label={`Move level ${at} down`} disabled={isLast} onClick={() => onMove(1)} />
        <IconButton icon={Trash2} label={`Remove level ${at}`} onClick={onRemove} />
      </span>
    </li>
  )
}
