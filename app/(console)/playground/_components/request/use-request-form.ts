"use client"
import { useState } from "react"
import { type UseFormReturn, useForm, useWatch } from "react-hook-form"
import { checkForm } from "@/lib/shared/playground/check-form"
import { exampleForm } from "@/lib/shared/playground/examples"
import { fieldOfParam } from "@/lib/shared/playground/field-of-param"
import type { KeyChoice, ModelChoice } from "@/lib/shared/playground/model-choice"
import type { PlaygroundForm } from "@/lib/shared/playground/schema"
import { CEILINGS, type ShapeLimits } from "@/questions/limits"
import type { RequestSide, UndoStep } from "./request-context"
import { createSettled } from "./settled"
import { takeRequest } from "./take-request"
import { useDraft } from "./use-draft"
import { createResolver, focusField, limitsOf, type Shown, useVerdict } from "./use-verdict"
import { useViews } from "./use-views"

export interface SideInput {
  accountId: string
  models: ModelChoice[]
  keys: KeyChoice[]
}

/** In the JSON view a field is a place in the text, named by its `param`. */
const IN_JSON = "json:"
const WIDEST: ShapeLimits = {
  maxQuestions: CEILINGS.questions,
  maxOptions: CEILINGS.options,
  maxLevels: CEILINGS.levels,
}

interface Parts {
  form: UseFormReturn<PlaygroundForm>
  settled: ReturnType<typeof createSettled>
  shown: Shown
}

function useParts(models: ModelChoice[]): Parts {
  const [{ settled, shown, resolver }] = useState(() => {
    const none: Shown = { all: false, left: new Set() }
    return { settled: createSettled(), shown: none, resolver: createResolver(models, none) }
  })
  const form = useForm<PlaygroundForm>({
    defaultValues: exampleForm(models[0]?.id ?? ""),
    resolver,
    // The check is run when typing pauses, not by every key.
    mode: "onSubmit",
    reValidateMode: "onSubmit",
  })
  return { form, settled, shown }
}

/** A draft may name a model or a key that the account no longer has. */
const mendDraft = (draft: PlaygroundForm, { models, keys }: SideInput): PlaygroundForm => ({
  ...draft,
  model: models.some(({ id }) => id === draft.model) ? draft.model : (models[0]?.id ?? ""),
  keyId: keys.some(({ id }) => id === draft.keyId) ? draft.keyId : "",
})

/** The request side's state: the form, its JSON, its draft, and what the API has against it. */
export function useRequestForm(input: SideInput) {
  const { accountId, models } = input
  const { form, settled, shown } = useParts(models)
  const views = useViews(form, settled)
  const verdict = useVerdict(form, models, settled, shown)
  const [undoStep, offerUndo] = useState<UndoStep | null>(null)
  const [said, announce] = useState("")
  const { ready, kept } = useDraft({ form, views, settled, accountId, mend: (draft) => mendDraft(draft, input) })
  const limits = limitsOf(models, useWatch({ control: form.control, name: "model" })) ?? WIDEST
  const isJson = views.view === "json"

  const showField = (field: string, message: string) => {
    if (!isJson) {
      verdict.mark({ field, message })
      return focusField(field)
    }
    const param = field.startsWith(IN_JSON) ? field.slice(IN_JSON.length) : (field.split(".")[0] ?? field)
    views.markParam(param, message)
    focusField("json")
  }
  const side: RequestSide = {
    settled,
    views,
    limits,
    undoStep,
    offerUndo,
    closeUndo: () => offerUndo(null),
    announce,
  }
  return {
    form,
    side,
    said,
    ready,
    kept,
    leave: verdict.leave,
    showField,
    /** JSON inside the form that is none cannot stand in the whole: it is put right first. */
    showJson: () => {
      settled.collect()
      const checked = checkForm(form.getValues())
      const broken = checked.ok || checked.isSound ? null : checked.verdicts[0]
      if (broken) showField(broken.field, broken.message)
      else views.showJson()
    },
    /** The field that an error's `param` speaks of, for `showField`. */
    fieldOf: (param: string) => (isJson ? IN_JSON + param : fieldOfParam(form.getValues(), param)),
    takeRequest: () => takeRequest({ form, views, verdict, limits, settled }),
  }
}
