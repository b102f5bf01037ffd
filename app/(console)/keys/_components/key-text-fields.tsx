import type { UseFormRegisterReturn } from "react-hook-form"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { KEY_TEXT_NAMES, KEY_TEXTS, type KeyTextName } from "@/lib/shared/keys/key-texts"

interface KeyTextFieldsProps {
  register: (name: KeyTextName) => UseFormRegisterReturn
  errors: Partial<Record<KeyTextName, { message?: string }>>
}

/** Renders a field for each text of a key. */
export function KeyTextFields({ register, errors }: KeyTextFieldsProps) {
  return KEY_TEXT_NAMES.map((name) => (
    <Field
      key={name}
      label={`${KEY_TEXTS[name].label} (optional)`}
      hint={KEY_TEXTS[name].hint}
      error={errors[name]?.message}
    >
      <Input {...register(name)} autoComplete="off" />
    </Field>
  ))
}
