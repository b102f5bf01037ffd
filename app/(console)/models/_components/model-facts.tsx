import { Time } from "@/components/ui/time"
import { countOf, formatCount, formatPrice } from "@/lib/shared/format"
import type { ListedModel } from "./read-models"

const PERCENT = new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 2, roundingMode: "floor" })

/** Formats a size in MiB if it is a whole number of them, else in bytes: rounding up would overstate the limit. */
export const bytesText = (value: number): string =>
  value % 1_048_576 === 0 ? `${value / 1_048_576} MiB` : `${formatCount(value)} bytes`

export const inputText = ({ inputLimit }: Pick<ListedModel, "inputLimit">): string =>
  inputLimit === null ? "No limit" : countOf(inputLimit, "token")

export const uptimeText = ({ uptime }: Pick<ListedModel, "uptime">): string =>
  uptime ? PERCENT.format(uptime.uptime) : "–"

/** Shows the share of the last 24 hours in which the model's engine was available, and when it was last probed. */
export function Uptime({ model }: { model: ListedModel }) {
  if (!model.uptime) return <span className="text-ink-muted">No data</span>
  return (
    <span className="flex flex-col max-sm:items-end">
      <span className="tabular-nums">{uptimeText(model)}</span>
      <span className="whitespace-nowrap text-ink-muted text-xs">
        probed <Time at={model.uptime.lastSampleAt} />
      </span>
    </span>
  )
}

interface Fact {
  name: string
  value: string
}

/** Returns the facts that a user compares between two models, as text. */
export const factsOf = (model: ListedModel): Fact[] => [
  { name: "Price per million tokens", value: formatPrice(model.price_per_million_input_tokens_usd) },
  { name: "Input limit", value: inputText(model) },
  { name: "Questions per request", value: formatCount(model.max_questions) },
  { name: "Options per question", value: formatCount(model.max_options) },
  { name: "Levels per question", value: formatCount(model.max_levels) },
  { name: "Body size", value: bytesText(model.max_body_bytes) },
  { name: "Token count before a run", value: model.isExactCount ? "Exact" : "Estimated" },
]
