"use client"
import { useFormContext } from "react-hook-form"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import type { PlaygroundForm } from "@/lib/playground/schema"

/** What yes and no mean, where the instructions do not say it. */
export function NoulCriteria({ index }: { index: number }) {
  const { register, formState } = useFormContext<PlaygroundForm>()
  const errors = formState.errors.questions?.[index]
  return (
    <div className="grid gap-4 @md:grid-cols-2">
      <Field label="Yes means" error={errors?.yes?.text?.message}>
        <Input {...register(`questions.${index}.yes.text`)} />
      </Field>
      <Field label="No means" error={errors?.no?.text?.message}>
        <Input {...register(`questions.${index}.no.text`)} />
      </Field>
    </div>
  )
}
