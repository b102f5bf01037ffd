import { formatCount, formatUsd } from "@/lib/shared/format"
import { cost, parsePricePerMillion, parseUsd, pico, usd12 } from "@/lib/shared/money"

/** What `POST /playground/tokens` answers. */
export interface TokenCount {
  model: string
  price: string
  input_tokens: number
  parts: { state: number; questions: Record<string, number> }
  max_question_tokens: number | null
  largest_question_tokens: number | null
  cost_usd: string
}

/** What a run will cost, ready to show. Money as exact USD texts. */
export interface RunCost {
  model: string
  tokens: number
  stateTokens: number
  stateUsd: string | null
  /** In the request's order, with what each question adds to the cost. */
  questions: { name: string; tokens: number; costUsd: string | null }[]
  /** Per million tokens. */
  priceUsd: string
  costUsd: string
  per1000Usd: string
  /** How often the balance pays for it; null when it is free. */
  runsLeft: string | null
  /** Of the longest question with the state, where the model's limit is known. */
  input: { tokens: number; limit: number } | null
}

/** The count as the console shows it. `names` are the request's questions in order: an object may have moved them. */
export function runCost(count: TokenCount, names: string[], balanceUsd: string): RunCost {
  const costPico = parseUsd(count.cost_usd) ?? pico(0)
  const balance = parseUsd(balanceUsd) ?? pico(0)
  const price = parsePricePerMillion(count.price)
  const { max_question_tokens: limit, largest_question_tokens: largest } = count
  const tokensOf = (name: string) =>
    Object.hasOwn(count.parts.questions, name) ? (count.parts.questions[name] ?? 0) : 0
  const usdOf = (tokens: number) => (price === null ? null : usd12(cost(tokens, price)))
  return {
    model: count.model,
    tokens: count.input_tokens,
    stateTokens: count.parts.state,
    stateUsd: usdOf(count.parts.state),
    questions: names.map((name) => ({ name, tokens: tokensOf(name), costUsd: usdOf(tokensOf(name)) })),
    priceUsd: count.price,
    costUsd: count.cost_usd,
    per1000Usd: formatUsd(pico(costPico * 1000n)),
    runsLeft: costPico <= 0n ? null : formatCount(balance <= 0n ? 0n : balance / costPico),
    input: limit === null || largest === null ? null : { tokens: largest, limit },
  }
}
