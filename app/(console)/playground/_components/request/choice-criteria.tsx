"use client"
import { Plus, Trash2 } from "lucide-react"
import { useFieldArray, useFormContext } from "react-hook-form"
import { Button } from "@/components/ui/button"
import { FieldError } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import type { PlaygroundForm } from "@/lib/playground/schema"
import { asText } from "@/lib/playground/words"
import { IconButton } from "./icon-button"
import { ListError } from "./list-error"

/** The options of a choice, each with what it covers. */
export function ChoiceCriteria({ index }: { index: number }) {
  const { control, register, formState } = useFormContext<PlaygroundForm>()
  const path = `questions.${index}.options` as const
  const { fields, append, remove } = useFieldArray({ control, name: path })
  const errors = formState.errors.questions?.[index]?.options
  return (
    <div className="flex flex-col gap-2">
      <p className="font-medium">Options, and what each covers</p>
      <ol className="flex flex-col gap-3">
        {fields.map((field, at) => {
          const error = errors?.[at]?.name?.message
          const described = `${field.id}-error`
          return (
            <li key={field.id} className="flex flex-col gap-1">
              <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-2 @md:grid-cols-[9rem_minmax(0,1fr)_auto]">
                <Input
                  mono
                  autoComplete="off"
                  aria-label={`Name of option ${at + 1}`}
                  aria-invalid={error ? true : undefined}
                  aria-describedby={error ? described : undefined}
                  {...register(`${path}.${at}.name`)}
                />
                <Input
                  aria-label={`What option ${at + 1} covers`}
                  className="@max-md:order-last @max-md:col-span-2"
                  {...register(`${path}.${at}.description.text`)}
                />
                <IconButton icon={Trash2} label={`Remove option ${at + 1}`} onClick={() => remove(at)} />
              </div>
              <FieldError id={described}>{error}</FieldError>
            </li>
          )
        })}
      </ol>
      <ListError field={`${path}.root`} message={errors?.root?.message} />
      <Button
        variant="quiet"
        size="sm"
        className="self-start"
        onClick={() => append({ name: "", description: asText("") })}
      >
        <Plus aria-hidden className="size-4" />
        Add option
      </Button>
    </div>
  )
}
