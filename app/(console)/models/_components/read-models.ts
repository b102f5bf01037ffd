import { tokenCounting } from "@/lib/server/models/catalogue"
import { runtime } from "@/lib/server/platform/runtime"
import { EXAMPLE_REQUEST } from "@/lib/shared/decisions/example-request"
import type { PricedModel } from "./calculator"
import type { ListedModel } from "./model-table"

export function readModels(): { listed: ListedModel[]; priced: PricedModel[] } {
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
  return { listed, priced }
}

export function exampleTexts(): { state: string; questions: string } {
  const { refund, topic, anger } = EXAMPLE_REQUEST.questions
  const options = Object.entries(topic.criteria).flat()
  const texts = [refund.instructions, topic.instructions, ...options, anger.instructions, ...anger.criteria]
  return { state: EXAMPLE_REQUEST.state, questions: texts.join("\n") }
}
