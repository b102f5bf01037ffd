import type { Metadata } from "next"
import { Alert } from "@/components/ui/alert"
import { PageHeader } from "@/components/ui/page-header"
import { TextLink } from "@/components/ui/text-link"
import { tokenCounting } from "@/lib/server/models/catalogue"
import { runtime } from "@/lib/server/platform/runtime"
import { EXAMPLE_REQUEST } from "@/lib/shared/decisions/example-request"
import { LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { Calculator, type PricedModel } from "./_components/calculator"
import { type ListedModel, ModelTable } from "./_components/model-table"

export const metadata: Metadata = { title: "Models and prices" }

/** The models with whether their engine can be reached now, and those that can be called with how they count. */
function readModels(): { listed: ListedModel[]; priced: PricedModel[] } {
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

/** The example request's texts, each on a line of its own. */
function exampleTexts(): { state: string; questions: string } {
  const { refund, topic, anger } = EXAMPLE_REQUEST.questions
  const options = Object.entries(topic.criteria).flat()
  const texts = [refund.instructions, topic.instructions, ...options, anger.instructions, ...anger.criteria]
  return { state: EXAMPLE_REQUEST.state, questions: texts.join("\n") }
}

export default function ModelsPage() {
  const { listed, priced } = readModels()
  const hasBaseline = listed.some(({ id, status }) => id === LEXICAL_BASELINE && status === "active")
  return (
    <>
      <PageHeader title="Models and prices">
        What can answer your requests, at what price and within which limits. The API lists the same under{" "}
        <TextLink href="/docs/models">GET /v1/models</TextLink>.
      </PageHeader>
      {listed.length > 0 ? (
        <ModelTable models={listed} />
      ) : (
        <Alert tone="danger" title="The model list cannot be loaded">
          The service is starting or has lost its database. Load the page again in a moment.
        </Alert>
      )}
      {hasBaseline ? (
        <Alert
          tone="warn"
          title={<code className="break-all font-mono">{LEXICAL_BASELINE}</code>}
          className="mt-6 max-w-text"
        >
          Keyword rules for trying the API. Not a model; do not rely on its answers.
        </Alert>
      ) : null}
      <div className="flex max-w-text flex-col gap-2 pt-6 text-ink-muted">
        <p>
          An arrow shows the pinned id that an alias stands for. A pinned id never changes what it runs; the alias moves
          when a newer model is released, and the answer names the pinned id that gave it.{" "}
          <TextLink href="/docs/models">More about ids</TextLink>
        </p>
        <p>
          Only a 200 is charged: its input tokens times the price. Probabilities of different models do not compare.{" "}
          <TextLink href="/docs/billing">More about billing</TextLink>
        </p>
      </div>
      {priced.length > 0 ? (
        <section aria-labelledby="calculator" className="mt-10 border-line border-t pt-8">
          <h2 id="calculator" className="mb-1 scroll-mt-5 font-semibold text-md">
            What would it cost?
          </h2>
          <p className="mb-6 max-w-text text-ink-muted">
            Put in your own text and questions. Nothing is sent to a model and nothing is kept.
          </p>
          <Calculator models={priced} example={exampleTexts()} />
        </section>
      ) : null}
    </>
  )
}
