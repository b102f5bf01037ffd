"use client"
import { useFormContext } from "react-hook-form"
import type { ModelChoice } from "@/lib/shared/playground/model-choice"
import { readForm } from "@/lib/shared/playground/read-form"
import { replaceModel } from "@/lib/shared/playground/replace-model"
import type { PlaygroundForm } from "@/lib/shared/playground/schema"
import { useRequestSide } from "../request/request-context"

export interface Opened {
  /** The model it names, when this account has none of that name and its first was chosen instead. */
  unknownModel: string | null
  /** Brings back what stood there before. */
  undo: () => void
}

/** Puts a valid request where the draft was, in whichever view that is shown. Nothing is run. */
export function useOpenRequest(models: ModelChoice[]): (requestText: string, model: string) => Opened {
  const form = useFormContext<PlaygroundForm>()
  const { views, settled } = useRequestSide()
  const put = (text: string) => {
    const read = readForm(text, form.getValues("keyId"))
    if (read.ok && views.view === "form") form.reset(read.form)
    else views.showJson(text)
    settled.touch()
  }
  return (requestText, model) => {
    const before = views.requestText()
    const isKnown = models.some(({ id }) => id === model)
    put(isKnown ? requestText : replaceModel(requestText, models[0]?.id ?? ""))
    return { unknownModel: isKnown ? null : model, undo: () => put(before) }
  }
}
