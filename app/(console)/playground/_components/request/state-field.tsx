"use client"
import { useFormContext, useWatch } from "react-hook-form"
import { Field } from "@/components/ui/field"
import { Textarea } from "@/components/ui/textarea"
import { refusedWords } from "@/lib/playground/check-form"
import type { PlaygroundForm } from "@/lib/playground/schema"

const KINDS = [
  { value: "text", label: "Text" },
  { value: "json", label: "JSON" },
] as const

/** What the questions are about, as a text or as any JSON value that the API takes. */
export function StateField({ onMark }: { onMark: (field: string, message: string) => void }) {
  const { register, getValues, formState } = useFormContext<PlaygroundForm>()
  const kind = useWatch<PlaygroundForm, "state.kind">({ name: "state.kind" })
  const checkJson = () => {
    const refused = refusedWords(getValues("state"), "The state")
    if (refused) onMark("state.text", refused)
  }
  return (
    <div className="relative">
      <fieldset className="absolute top-0 right-0 flex rounded-md border border-line-strong text-sm">
        <legend className="sr-only">State as</legend>
        {KINDS.map(({ value, label }) => (
          <label
            key={value}
            className="rounded-[5px] px-2.5 py-px text-ink-muted has-checked:bg-accent-soft has-checked:font-medium has-checked:text-accent-strong has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input type="radio" value={value} {...register("state.kind")} className="sr-only" />
            {label}
          </label>
        ))}
      </fieldset>
      <Field
        label="State"
        hint={kind === "json" ? "An object, an array or a string, sent as it stands." : undefined}
        error={formState.errors.state?.text?.message}
      >
        <Textarea
          rows={9}
          mono={kind === "json"}
          spellCheck={kind === "text"}
          {...register("state.text", { onBlur: checkJson })}
        />
      </Field>
    </div>
  )
}
