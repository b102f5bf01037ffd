import { formatCount } from "@/lib/shared/format"
import { cost, parsePricePerMillion, parseUsd, pico, usd12 } from "@/lib/shared/money"

/** The response of `POST /playground/tokens`. */
export interface TokenCount {
  model: string
  price: string
  input_tokens: number
  parts: { state: number; questions: Record<string, number> }
  max_question_tokens: number | null
  largest_question_tokens: number | null
  cost_usd: string
}

/** The price of a run, ready to show. Money is exact USD text. */
export interface RunCost {
  model: string
  tokens: number
  stateTokens: number
  stateUsd: string | null
  /** In request order, with what each question adds to the cost. */
  questions: { name: string; tokens: number; costUsd: string | null }[]
  /** USD per million tokens. */
  priceUsd: string
  costUsd: string
  per1000Usd: string
  /** How many runs the balance pays for; null when the model is free. */
  runsLeft: string | null
  /** Tokens of the state with its longest question. Null when the model's limit is unknown. */
  input: { tokens: number; limit: number } | null
}

/** Prices a token count. `names` gives the request order, which a JSON object may not keep. */
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
    per1000Usd: usd12(pico(costPico * 1000n)),
    runsLeft: costPico <= 0n ? null : formatCount(balance <= 0n ? 0n : balance / costPico),
    input: limit === null || largest === null ? null : { tokens: largest, limit },
  }
}
