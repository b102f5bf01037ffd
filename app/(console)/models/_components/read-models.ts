import { tokenCounting } from "@/lib/server/models/catalogue"
import { cautionOf } from "@/lib/server/models/caution"
import { runtime } from "@/lib/server/platform/runtime"
import { EXAMPLE_REQUEST } from "@/lib/shared/decisions/example-request"
import type { PricedModel } from "./calculator"
import type { ListedModel } from "./model-table"

/** What to know about one active pinned model. */
export interface Caution {
  id: string
  caution: string
}

export function readModels(): { listed: ListedModel[]; priced: PricedModel[]; cautions: Caution[] } {
  const { catalogue, engines } = runtime()
  const listed = catalogue.list().map((entry) => {
    const pinnedId = entry.target_model ?? entry.id
    return { ...entry, isAvailable: engines.availability(pinnedId).available }
  })
  const isExact = (id: string) => {
    const model = catalogue.resolve(id)
    return model !== null && tokenCounting(model) === "exact"
  }
  const priced = listed
    .filter(({ status }) => status === "active")
    .map(({ id, price_per_million_input_tokens_usd }) => ({
      id,
      pricePerMillionUsd: price_per_million_input_tokens_usd,
      isExact: isExact(id),
    }))
  const cautions = catalogue.pinned().flatMap((model) => {
    const caution = model.status === "active" ? cautionOf(model) : null
    return caution ? [{ id: model.id, caution }] : []
  })
  return { listed, priced, cautions }
}

export function exampleTexts(): { state: string; questions: string } {
  const { refund, topic, anger } = EXAMPLE_REQUEST.questions
  const options = Object.entries(topic.criteria).flat()
  const texts = [refund.instructions, topic.instructions, ...options, anger.instructions, ...anger.criteria]
  return { state: EXAMPLE_REQUEST.state, questions: texts.join("\n") }
}
