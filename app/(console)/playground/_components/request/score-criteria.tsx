"use client"
import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react"
import { useFieldArray, useFormContext } from "react-hook-form"
import { Button } from "@/components/ui/button"
import { FieldError } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import type { PlaygroundForm } from "@/lib/playground/schema"
import { asText } from "@/lib/playground/words"
import { IconButton } from "./icon-button"
import { ListError } from "./list-error"

/** The levels of a score, counted from 0. */
export function ScoreCriteria({ index }: { index: number }) {
  const { control, register, formState } = useFormContext<PlaygroundForm>()
  const path = `questions.${index}.levels` as const
  const { fields, append, remove, move } = useFieldArray({ control, name: path })
  const errors = formState.errors.questions?.[index]?.levels
  return (
    <div className="flex flex-col gap-2">
      <p className="font-medium">Levels, from the lowest</p>
      <ol className="flex flex-col gap-2">
        {fields.map((field, at) => {
          const error = errors?.[at]?.label?.text?.message
          const described = `${field.id}-error`
          return (
            <li key={field.id} className="flex flex-col gap-1">
              <div className="grid grid-cols-[1rem_minmax(0,1fr)] items-center gap-2 @md:grid-cols-[1rem_minmax(0,1fr)_auto]">
                <span aria-hidden className="text-right font-mono text-ink-muted text-sm">
                  {at}
                </span>
                <Input
                  aria-label={`Level ${at}`}
                  aria-invalid={error ? true : undefined}
                  aria-describedby={error ? described : undefined}
                  {...register(`${path}.${at}.label.text`)}
                />
                <span className="@max-md:col-start-2 flex @max-md:justify-self-end">
                  <IconButton
                    icon={ArrowUp}
                    label={`Move level ${at} up`}
                    disabled={at === 0}
                    onClick={() => move(at, at - 1)}
                  />
                  <IconButton
                    icon={ArrowDown}
                    label={`Move level ${at} down`}
                    disabled={at === fields.length - 1}
                    onClick={() => move(at, at + 1)}
                  />
                  <IconButton icon={Trash2} label={`Remove level ${at}`} onClick={() => remove(at)} />
                </span>
              </div>
              <FieldError id={described}>{error}</FieldError>
            </li>
          )
        })}
      </ol>
      <ListError field={`${path}.root`} message={errors?.root?.message} />
      <Button variant="quiet" size="sm" className="self-start" onClick={() => append({ label: asText("") })}>
        <Plus aria-hidden className="size-4" />
        Add level
      </Button>
    </div>
  )
}
