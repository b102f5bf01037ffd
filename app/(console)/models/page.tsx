import type { Metadata } from "next"
import { Alert } from "@/components/ui/alert"
import { PageHeader } from "@/components/ui/page-header"
import { runtime } from "@/lib/runtime"
import { ModelTable } from "./_components/model-table"

export const metadata: Metadata = { title: "Models" }

export default function ModelsPage() {
  const { catalogue } = runtime()
  const models = catalogue.list()
  const baseline = catalogue.pinned().find((model) => model.engine === "lexical" && model.status === "active")
  return (
    <>
      <PageHeader title="Models">
        What can answer your requests, at what price and within which limits. The API lists the same under GET
        /v1/models.
      </PageHeader>
      {baseline ? (
        <Alert
          tone="warn"
          title={<code className="break-all font-mono">{baseline.id}</code>}
          className="mb-6 max-w-text"
        >
          Keyword rules for trying the API. Not a model; do not rely on its answers.
        </Alert>
      ) : null}
      {models.length > 0 ? (
        <ModelTable models={models} />
      ) : (
        <Alert tone="danger" title="The model list cannot be loaded">
          The service is starting or has lost its database. Load the page again in a moment.
        </Alert>
      )}
      <div className="flex max-w-text flex-col gap-2 pt-6 text-ink-muted">
        <p>
          An arrow shows the pinned id that an alias stands for. A pinned id never changes what it runs; the alias moves
          when a newer model is released, and the answer names the pinned id that gave it.
        </p>
        <p>
          Only a 200 is charged: its input tokens times the price. Probabilities of different models do not compare.
        </p>
      </div>
    </>
  )
}
