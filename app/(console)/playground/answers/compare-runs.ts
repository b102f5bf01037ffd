import { formatCount } from "@/lib/shared/format"
import type { Outcome } from "@/lib/shared/runs/read-outcome"
import { answerFigures, type PreparedAnswer } from "@/questions/question-types"

/** One value in both runs. `difference` is null unless both are numbers, and differ. */
export interface Line {
  label: string
  left: string
  right: string
  difference: string | null
  changed: boolean
}

export interface Compared {
  name: string
  changed: boolean
  /** The answer itself, then every probability. */
  lines: Line[]
}

interface Value {
  text: string
  number: number | null
}

const NONE: Value = { text: "–", number: null }
const valuesOf = (answer: PreparedAnswer | undefined): Map<string, Value> =>
  new Map((answer ? answerFigures(answer) : []).map(({ label, text, number }) => [label, { text, number }]))

function line(label: string, left: Value, right: Value): Line {
  const both = left.number !== null && right.number !== null
  const by = both ? (right.number ?? 0) - (left.number ?? 0) : 0
  const difference = both ? `${by < 0 ? "−" : "+"}${Math.abs(by).toFixed(3)}` : null
  return {
    label,
    left: left.text,
    right: right.text,
    difference: by === 0 ? null : difference,
    changed: both ? by !== 0 : left.text !== right.text,
  }
}

const answersOf = (outcome: Outcome): PreparedAnswer[] => (outcome.kind === "answered" ? outcome.answers : [])

/** Compares the answers of two runs by question: the first run's in its order, then those that only the second has. */
export function compareAnswers(left: Outcome, right: Outcome): Compared[] {
  const [lefts, rights] = [answersOf(left), answersOf(right)]
  const names = new Set([...lefts, ...rights].map(({ name }) => name))
  return [...names].map((name) => {
    const [before, after] = [lefts, rights].map((answers) => valuesOf(answers.find((answer) => answer.name === name)))
    const labels = new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])
    const lines = [...labels].map((label) => line(label, before?.get(label) ?? NONE, after?.get(label) ?? NONE))
    return { name, changed: lines.some(({ changed }) => changed), lines }
  })
}

function figuresOf(outcome: Outcome): Map<string, string> {
  const { request, latencyMs, status } = outcome.exchange
  const answered = outcome.kind === "answered" ? outcome : null
  return new Map([
    ["Requested model", request.model],
    ["Answered by", answered?.model ?? `none, status ${status}`],
    ["Questions", String(request.questions.length)],
    ["Tokens", answered ? formatCount(answered.tokens) : "–"],
    ["Round trip", `${formatCount(latencyMs)} ms`],
  ])
}

/** Compares the requests and figures of two runs. The round trip differs by chance, so it is never marked. */
export function compareFigures(left: Outcome, right: Outcome): Line[] {
  const after = figuresOf(right)
  const lines = [...figuresOf(left)].map(([label, text]): Line => {
    const other = after.get(label) ?? ""
    return { label, left: text, right: other, difference: null, changed: label !== "Round trip" && text !== other }
  })
  const states = [left, right].map(({ exchange }) => exchange.request.state.json())
  const same = states[0] === states[1]
  return [...lines, { label: "State", left: "", right: same ? "same" : "different", difference: null, changed: !same }]
}
