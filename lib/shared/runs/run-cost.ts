import { countOf, formatCount } from "@/lib/shared/format"
import { costOfPart, parsePricePerMillion, parseUsd, pico, usd12 } from "@/lib/shared/money"

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
  /** Tokens of the state, the longest question and the fixed prompt. Null when the model has no limit. */
  input: { tokens: number; limit: number } | null
}

/** By how many tokens a request exceeds the model's input limit, and which of its texts is the longest. */
export interface Excess {
  tokens: number
  limit: number
  longest: { text: "state" | "question"; question: string; tokens: number }
}

/** Returns why a request is too long for its model, or null when it fits or the model has no limit. */
export function excessOf({ input, stateTokens, questions }: RunCost): Excess | null {
  if (!input || input.tokens <= input.limit) return null
  const [largest] = questions.toSorted((a, b) => b.tokens - a.tokens)
  const question = largest?.name ?? ""
  const isState = stateTokens >= (largest?.tokens ?? 0)
  return {
    tokens: input.tokens - input.limit,
    limit: input.limit,
    longest: { text: isState ? "state" : "question", question, tokens: isState ? stateTokens : (largest?.tokens ?? 0) },
  }
}

/** Returns by how much a request is too long and what to shorten, as text. */
export function describeExcess({ tokens, limit, longest }: Excess): string {
  const over = `The input is ${countOf(tokens, "token")} over this model's input limit of ${formatCount(limit)}.`
  const text = longest.text === "state" ? "the state" : `the question “${longest.question}”`
  return `${over} Shorten ${text}, which has ${countOf(longest.tokens, "token")}.`
}

/** Prices a token count. `names` gives the request order, which a JSON object may not keep. */
export function runCost(count: TokenCount, names: string[], balanceUsd: string): RunCost {
  const costPico = parseUsd(count.cost_usd) ?? pico(0)
  const balance = parseUsd(balanceUsd) ?? pico(0)
  const price = parsePricePerMillion(count.price)
  const { max_question_tokens: limit, largest_question_tokens: largest } = count
  const tokensOf = (name: string) =>
    Object.hasOwn(count.parts.questions, name) ? (count.parts.questions[name] ?? 0) : 0
  const usdOf = (part: number) => (price === null ? null : usd12(costOfPart(part, count.input_tokens, price)))
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
