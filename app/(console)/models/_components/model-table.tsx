import { Badge } from "@/components/ui/badge"
import { CopyButton } from "@/components/ui/copy-button"
import { type Column, Table } from "@/components/ui/table"
import { countOf, formatPrice } from "@/lib/shared/format"
import { bytesText, inputText, Uptime, uptimeText } from "./model-facts"
import type { ListedModel } from "./read-models"

function ModelId({ model }: { model: ListedModel }) {
  return (
    <span className="flex flex-wrap items-center gap-x-1.5 font-mono text-sm">
      <span className="wrap-anywhere font-medium">{model.id}</span>
      {model.target_model ? (
        <span className="wrap-anywhere text-ink-muted">
          <span aria-hidden>→ </span>
          <span className="sr-only">alias of </span>
          {model.target_model}
        </span>
      ) : null}
      {model.served && model.served !== model.id ? (
        <span className="wrap-anywhere w-full text-ink-muted">runs {model.served}</span>
      ) : null}
      {model.cascade ? <span className="wrap-anywhere w-full font-sans text-ink-muted">{model.cascade}</span> : null}
    </span>
  )
}

function Status({ model }: { model: ListedModel }) {
  if (model.status === "active")
    return (
      <>
        <span className="flex flex-wrap items-center gap-1.5 max-sm:justify-end">
          <Badge>Active</Badge> {model.isAvailable ? null : <Badge tone="warn">Unavailable</Badge>}
        </span>
        {model.uptime ? (
          <span className="hidden text-ink-muted text-sm sm:max-xl:block">{uptimeText(model)} in 24 h</span>
        ) : null}
      </>
    )
  return (
    <span className="flex flex-wrap items-center gap-x-1.5 max-sm:justify-end">
      <Badge tone="warn">Retired</Badge>{" "}
      <span className="text-ink-muted text-sm">
        {model.replacement_model ? (
          <>
            use <code className="wrap-anywhere font-mono">{model.replacement_model}</code>
          </>
        ) : (
          "no replacement"
        )}
      </span>
    </span>
  )
}

const COLUMNS: Column<ListedModel>[] = [
  { head: "Model", phone: "title", className: "sm:min-w-36", cell: (model) => <ModelId model={model} /> },
  { head: "Status", phone: "value", className: "sm:min-w-28", cell: (model) => <Status model={model} /> },
  { head: "Last 24 h", phone: "end", wideOnly: true, cell: (model) => <Uptime model={model} /> },
  {
    head: "Per million tokens",
    phone: "line",
    phoneLabel: true,
    align: "right",
    cell: (model) => formatPrice(model.price_per_million_input_tokens_usd),
  },
  {
    head: "Input limit",
    align: "right",
    cell: (model) => (
      <>
        <span className="whitespace-nowrap">{inputText(model)}</span>
        <span className="hidden text-ink-muted text-sm sm:max-xl:block">
          {countOf(model.max_questions, "question")}, {countOf(model.max_options, "option")}
        </span>
      </>
    ),
  },
  { head: "Questions", align: "right", wideOnly: true, cell: (model) => model.max_questions },
  { head: "Options", align: "right", wideOnly: true, cell: (model) => model.max_options },
  { head: "Levels", align: "right", wideOnly: true, cell: (model) => model.max_levels },
  {
    head: "Body size",
    align: "right",
    wideOnly: true,
    cell: (model) => <span className="whitespace-nowrap">{bytesText(model.max_body_bytes)}</span>,
  },
  {
    head: "Copy",
    headHidden: true,
    align: "right",
    className: "max-sm:[&_button]:-mr-2.5 sm:max-xl:[&_button>span]:sr-only xl:[&_button]:-mr-2.5",
    cell: (model) => (
      <CopyButton text={model.id} variant="quiet" size="sm" label="Copy id" ariaLabel={`Copy id ${model.id}`} />
    ),
  },
]

export function ModelTable({ models }: { models: ListedModel[] }) {
  const rows = models.toSorted((a, b) => Number(a.status === "retired") - Number(b.status === "retired"))
  return <Table caption="Models" columns={COLUMNS} rows={rows} rowKey={(model) => model.id} />
}
