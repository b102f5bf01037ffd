import type { CheckedQuestion, CheckedRequest, ChoiceQuestion, ScoreQuestion } from "./check"

/** One probability as charts show it: the number itself, its digits, and a percentage with one decimal. */
export interface Share {
  value: number
  exact: string
  percent: string
}

export interface NoulGauge {
  yes: Share
  /** The rest, as a percentage: the response holds the probability of yes alone. */
  noPercent: string
  /** Where "yes" begins; drawn as a tick. */
  threshold: number
  verdict: "yes" | "no"
}

export interface Bar extends Share {
  label: string
}

export interface ChoiceBars {
  choice: string
  confidence: Share
  /** The most likely options, most likely first. */
  bars: Bar[]
  /** What is left when there are more than eight options. */
  rest: { count: number; together: Share; bars: Bar[] } | null
}

export interface Column extends Share {
  level: number
  label: string
}

export interface ScoreColumns {
  mean: { value: number; exact: string; text: string }
  confidence: Share
  /** One per level, in level order. */
  columns: Column[]
  mostLikely: number
}

/** What one question's chart draws; `missing` when the response holds no answer of the question's type. */
export type PreparedAnswer = { name: string } & (
  | { type: "noul"; gauge: NoulGauge }
  | { type: "choice"; chart: ChoiceBars }
  | { type: "score"; chart: ScoreColumns }
  | { type: "missing" }
)

const SHOWN_OPTIONS = 8
const THRESHOLD = 0.5

/** A probability as text: one decimal, and never "0.0%" or "100.0%" for what is only close to it. */
export function formatPercent(value: number): string {
  const text = (value * 100).toFixed(1)
  if (value > 0 && text === "0.0") return "<0.1%"
  if (value < 1 && text === "100.0") return ">99.9%"
  return `${text}%`
}

const share = (value: number): Share => ({ value, exact: String(value), percent: formatPercent(value) })

/** A member of a parsed JSON object; a name such as `constructor` or `__proto__` is looked up in the object alone. */
function member(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}

function probability(value: unknown): number | null {
  return typeof value === "number" && value >= 0 && value <= 1 ? value : null
}

function allProbabilities(answer: unknown, names: string[]): number[] | null {
  const values = names.map((name) => probability(member(member(answer, "probabilities"), name)))
  return values.every((value) => value !== null) ? values : null
}

function prepareNoul(answer: unknown): NoulGauge | null {
  const yes = probability(member(answer, "noul"))
  if (yes === null) return null
  return {
    yes: share(yes),
    noPercent: formatPercent(1 - yes),
    threshold: THRESHOLD,
    verdict: yes >= THRESHOLD ? "yes" : "no",
  }
}

function prepareChoice(question: ChoiceQuestion, answer: unknown): ChoiceBars | null {
  const names = question.options.map((option) => option.name)
  const values = allProbabilities(answer, names)
  const choice = member(answer, "choice")
  const confidence = probability(member(answer, "confidence"))
  if (!values || typeof choice !== "string" || confidence === null) return null
  const bars = values
    .map((value, index): Bar => ({ label: names[index] ?? "", ...share(value) }))
    .sort((a, b) => b.value - a.value)
  const folded = bars.slice(SHOWN_OPTIONS)
  const together = folded.reduce((sum, bar) => sum + bar.value, 0)
  return {
    choice,
    confidence: share(confidence),
    bars: bars.slice(0, SHOWN_OPTIONS),
    rest: folded.length > 0 ? { count: folded.length, together: share(Math.min(1, together)), bars: folded } : null,
  }
}

function prepareScore(question: ScoreQuestion, answer: unknown): ScoreColumns | null {
  const values = allProbabilities(
    answer,
    question.levels.map((_, level) => String(level)),
  )
  const mean = member(answer, "score")
  const confidence = probability(member(answer, "confidence"))
  if (!values || typeof mean !== "number" || mean < 0 || mean > values.length - 1 || confidence === null) return null
  return {
    mean: { value: mean, exact: String(mean), text: mean.toFixed(2) },
    confidence: share(confidence),
    columns: values.map((value, level) => ({ level, label: question.levels[level]?.text() ?? "", ...share(value) })),
    mostLikely: values.indexOf(Math.max(...values)),
  }
}

function prepareAnswer(question: CheckedQuestion, answer: unknown): PreparedAnswer {
  const { name, type } = question
  if (member(answer, "type") !== type) return { name, type: "missing" }
  if (type === "noul") {
    const gauge = prepareNoul(answer)
    return gauge ? { name, type, gauge } : { name, type: "missing" }
  }
  if (type === "choice") {
    const chart = prepareChoice(question, answer)
    return chart ? { name, type, chart } : { name, type: "missing" }
  }
  const chart = prepareScore(question, answer)
  return chart ? { name, type, chart } : { name, type: "missing" }
}

/**
 * A parsed 200 body as charts, one per question. Order and labels come from the request that was sent: parsing the body
 * moves names such as "10" to the front.
 */
export function prepareAnswers(request: CheckedRequest, body: unknown): PreparedAnswer[] {
  const answers = member(body, "answers")
  return request.questions.map((question) => prepareAnswer(question, member(answers, question.name)))
}
