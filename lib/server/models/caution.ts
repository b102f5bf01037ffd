import type { CatalogueModel } from "./catalogue"

/** What users and operators read wherever a model without training for decisions is named. */
const LABELS = "An ordinary model read by its labels. Measure it before you trust it."
const LEXICAL = "Keyword rules for trying the API. This is not a model: do not rely on its answers."

/** Returns what to know before one relies on a pinned model's answers. Null for a decision model, and for a cascade of two. */
export function cautionOf(model: CatalogueModel | null): string | null {
  if (model?.cascade) {
    const { small, big } = model.cascade
    const parts = [small, big].flatMap((part) => {
      const caution = cautionOf(part)
      return caution ? [`${part.id}: ${caution}`] : []
    })
    return parts.length > 0 ? parts.join(" ") : null
  }
  // The service's own engine reports the prompt with which it reads a chat model.
  if (model?.engine === "labels" || model?.pinnedFacts?.prompt !== undefined) return LABELS
  return model?.engine === "lexical" ? LEXICAL : null
}
