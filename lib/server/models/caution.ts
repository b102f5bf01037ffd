import type { CatalogueModel } from "./catalogue"

/** What users and operators read wherever a model without training for decisions is named. */
const LABELS = "An ordinary model read by its labels. Measure it before you trust it."
const LEXICAL = "Keyword rules for trying the API. This is not a model: do not rely on its answers."

/** Returns what to know before one relies on a pinned model's answers. Null for a decision model. */
export function cautionOf(model: CatalogueModel | null): string | null {
  if (model?.engine === "labels") return LABELS
  return model?.engine === "lexical" ? LEXICAL : null
}
