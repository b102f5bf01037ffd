"use client"
import { type FieldPath, get, useFormContext, useFormState, useWatch } from "react-hook-form"
import type { PlaygroundForm, Words } from "@/lib/shared/playground/schema"

/** Where the form holds words: the state, instructions, or a description. */
export type WordsPath =
  | "state"
  | `questions.${number}.${"instructions" | "yes" | "no"}`
  | `questions.${number}.options.${number}.description`
  | `questions.${number}.levels.${number}.label`

export type Path = FieldPath<PlaygroundForm>

/** What the API has against one field. */
export function useFieldError(path: string): string | undefined {
  const { errors } = useFormState<PlaygroundForm>({ name: path as Path })
  return (get(errors, path) as { message?: string } | undefined)?.message
}

/**
 * `register` without its blur: there the browser's version of a text, which may lack line breaks, would replace what was read.
 * Which fields were left is watched by the pane.
 */
export function useRegister() {
  const { register } = useFormContext<PlaygroundForm>()
  return (path: string) => {
    const { onBlur: _, ...rest } = register(path as Path)
    return rest
  }
}

/** Whether words are a text or JSON, and the way to change it. */
export function useKind(path: WordsPath): { kind: Words["kind"]; setKind: (kind: Words["kind"]) => void } {
  const { setValue } = useFormContext<PlaygroundForm>()
  const kind = useWatch<PlaygroundForm>({ name: `${path}.kind` as Path }) as Words["kind"]
  return { kind, setKind: (next) => setValue(`${path}.kind` as Path, next) }
}
