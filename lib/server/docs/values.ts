import { API_CODES } from "@/lib/server/api/openapi/error"
import { errorExample } from "@/lib/server/api/openapi/examples"
import { MAX_BODY_BYTES } from "@/lib/server/api/read-body"
import { EXAMPLE_ANSWER } from "@/lib/server/decisions/example-answer"
import { FIXED_RATES } from "@/lib/server/limits/fixed-rates"
import { cascadeText } from "@/lib/server/models/cascade"
import type { Catalogue, CatalogueModel, ModelEntry } from "@/lib/server/models/catalogue"
import { cautionOf } from "@/lib/server/models/caution"
import type { Runtime } from "@/lib/server/platform/runtime"
import { errorTable, retryOf } from "@/lib/shared/errors"
import { formatCount, formatExactUsd, formatPrice } from "@/lib/shared/format"
import { ALIAS, FIRST_DECIDER } from "@/lib/shared/models/model-ids"
import { cost, type Pico, usd12 } from "@/lib/shared/money"
import { CEILINGS } from "@/questions/limits"
import { apiValues } from "./api-fields"

const row = (...cells: string[]): string => `| ${cells.join(" | ")} |`
const json = (value: unknown): string => JSON.stringify(value, null, 2)

/** Returns a table row for each rate limit besides those of keys and accounts. */
const rateRows = (): string =>
  Object.values(FIXED_RATES)
    .map(({ requests, perSecond, of }) => row(requests, `${perSecond} per ${of}`))
    .join("\n")

/** Returns a table row for each error of the API, from the error table that the API itself uses. */
const errorRows = (): string =>
  API_CODES.map((code) => ({ code, ...errorTable[code] }))
    .sort((one, other) => one.status - other.status)
    .map(({ code, status, message, advice }) => row(String(status), `\`${code}\``, message, retryOf(status), advice))
    .join("\n")

const API_VALUES = apiValues()

const NO_PRICE = "No price yet"
const costOf = (tokens: number, pricePico: Pico | null): string =>
  pricePico === null ? NO_PRICE : formatPrice(usd12(cost(tokens, pricePico)))

const modelRow = (
  { id, target_model, status, replacement_model, ...model }: ModelEntry,
  notes: (string | null)[],
): string =>
  row(
    [`\`${id}\``, ...notes].filter(Boolean).join(". "),
    target_model ? `\`${target_model}\`` : "itself",
    status === "active" ? "Active" : replacement_model ? `Retired, use \`${replacement_model}\`` : "Retired",
    formatPrice(model.price_per_million_input_tokens_usd),
  )

const notesOf = (model: CatalogueModel | null) => [cascadeText(model)?.replace(/\.$/, "") ?? null, cautionOf(model)]

const priceRows = (catalogue: Catalogue): string =>
  catalogue
    .pinned()
    .filter(({ status }) => status === "active")
    .map(({ id, pricePico }) => row(`\`${id}\``, costOf(1_000_000, pricePico), costOf(1_000, pricePico)))
    .join("\n")

function baselineNote(catalogue: Catalogue): string {
  const target = catalogue.resolve(ALIAS)
  return target?.engine === "lexical"
    ? `No decision model is connected to this service yet. \`${target.id}\` answers with keyword rules for trying the API. Do not rely on its answers.`
    : `This answer comes from \`${EXAMPLE_ANSWER.model}\`, which applies keyword rules for trying the API. A decision model gives better answers.`
}

function welcome(amount: Pico): string {
  return amount > 0n
    ? `A new account starts with ${formatExactUsd(amount)} of credit.`
    : "A new account has no credit. Top up under [Billing](/billing) first."
}

/** Returns the values of each `{{name}}` in the docs: address, limits, prices and errors of this service. */
export function guideValues({ env, catalogue }: Pick<Runtime, "env" | "catalogue">): Record<string, string> {
  return {
    base_url: env.BASE_URL,
    console_url: env.CONSOLE_URL,
    alias: ALIAS,
    target: catalogue.resolve(ALIAS)?.id ?? ALIAS,
    first_decider: FIRST_DECIDER,
    welcome: welcome(env.WELCOME_CREDIT_USD),
    max_questions: String(CEILINGS.questions),
    max_options: String(CEILINGS.options),
    max_levels: String(CEILINGS.levels),
    max_body_bytes: formatCount(MAX_BODY_BYTES),
    example_model: EXAMPLE_ANSWER.model,
    example_answer: json(EXAMPLE_ANSWER),
    example_noul: EXAMPLE_ANSWER.answers.refund.noul.toFixed(2),
    baseline_note: baselineNote(catalogue),
    error_example: json(errorExample("insufficient_balance")),
    errors: errorRows(),
    fixed_rates: rateRows(),
    evaluate_rate: formatCount(env.EVALUATE_RATE),
    models: catalogue
      .list()
      .map((entry) => modelRow(entry, notesOf(catalogue.find(entry.id))))
      .join("\n"),
    prices: priceRows(catalogue),
    retention_days: String(env.RETENTION_DAYS),
    sign_in_hours: String(env.SIGN_IN_RETENTION_HOURS),
    ...API_VALUES,
  }
}
