"use client"
import { useWatch } from "react-hook-form"
import { Alert } from "@/components/ui/alert"
import type { ModelChoice } from "@/lib/shared/playground/model-choice"
import type { PlaygroundForm } from "@/lib/shared/playground/schema"

/** Said whenever the chosen model is none. */
export function BaselineBanner({ models }: { models: ModelChoice[] }) {
  const chosen = useWatch<PlaygroundForm, "model">({ name: "model" })
  if (!models.find(({ id }) => id === chosen)?.isBaseline) return null
  return (
    <Alert tone="warn" className="mb-4">
      Keyword rules for trying the API. Not a model; do not rely on its answers.
    </Alert>
  )
}
