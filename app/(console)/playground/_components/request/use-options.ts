"use client"
import { useFieldArray, useFormContext } from "react-hook-form"
import type { PastedOption } from "@/lib/shared/playground/paste-options"
import type { PlaygroundForm } from "@/lib/shared/playground/schema"
import { asText } from "@/lib/shared/playground/words"
import { useRequestSide } from "./request-context"

/** The options of the choice at an index and what can be done with them. */
export function useOptions(index: number) {
  const { control, getValues } = useFormContext<PlaygroundForm>()
  const path = `questions.${index}.options` as const
  const { fields, append, remove, insert, replace } = useFieldArray({ control, name: path })
  const { limits, offerUndo } = useRequestSide()
  return {
    path,
    fields,
    /** As many as the chosen model takes. */
    most: limits.maxOptions,
    add: () => append({ name: "", description: asText("") }, { focusName: `${path}.${fields.length}.name` }),
    removeAt: (at: number) => {
      const option = structuredClone(getValues(`${path}.${at}`))
      remove(at)
      offerUndo({ done: `Removed option ${option.name || at + 1}`, undo: () => insert(at, option) })
    },
    /** Adds what is new in a pasted list; options that say nothing make room for it. */
    paste: (options: PastedOption[]) => {
      const before = structuredClone(getValues(path))
      const kept = before.filter(({ name, description }) => name !== "" || description.text !== "")
      const added = options.filter(({ name }) => !kept.some((option) => option.name === name))
      replace([...kept, ...added.map(({ name, description }) => ({ name, description: asText(description) }))])
      offerUndo({ done: `Added ${added.length} options`, undo: () => replace(before) })
    },
  }
}
