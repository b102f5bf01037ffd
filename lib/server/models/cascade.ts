import { inputLimitOf } from "@/lib/server/engines/token-count"
import type { CatalogueModel } from "./catalogue"

/** Returns which models a cascade asks, and when, as a sentence. Null for every other model. */
export function cascadeText(model: CatalogueModel | null): string | null {
  if (!model?.cascade) return null
  const { small, big, below } = model.cascade
  return `Asks ${small.id} first, and ${big.id} again about each answer with a probability below ${below}.`
}

/** Returns the maximum tokens of the state, one question and the fixed prompt: for a cascade, the smaller of both. Null without a limit. */
export function smallestInputLimit({ id, cascade }: CatalogueModel): number | null {
  const ids = cascade ? [cascade.small.id, cascade.big.id] : [id]
  const limits = ids.flatMap((one) => inputLimitOf(one) ?? [])
  return limits.length > 0 ? Math.min(...limits) : null
}
