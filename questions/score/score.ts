import { countOf } from "@/lib/shared/format"
import type { JsonText } from "@/lib/shared/json/text"
import { jsonObject, typescriptUnion } from "../answer-text"
import { checkEach, criteriaPath, refuse } from "../check-fields"
import { distinctNames } from "../distinct-names"
import { checkMean, joinParts, NORMALISED, readProbabilities, type WirePart, writeProbabilities } from "../engine-wire"
import { own } from "../label-form"
import { CEILINGS } from "../limits"
import { clamp, meanLevel, mostLikely, normalise } from "../probabilities"
import type { QuestionBase, QuestionType } from "../question-type"
import { type ScoreFields, scoreForm } from "./form"
import { scoreHints } from "./hints"
import { explainScore, levelFigures, prepareLevels, type ScoreBars, withinShare } from "./level-bars"
import { keysOf, scoreOutcomes } from "./outcomes"
import { scoreSchema } from "./schema"

export interface ScoreQuestion extends QuestionBase {
  type: "score"
  /** Lowest first. */
  levels: JsonText[]
}

export interface ScoreAnswer {
  type: "score"
  /** One per level, in the question's order. */
  probabilities: number[]
}

/**
 * Returns the confidence of a score, 0 to 1: 1 minus the spread around the most likely level over an even split's
 * spread.
 */
export function scoreConfidence(probabilities: number[]): number {
  const n = probabilities.length
  if (n < 2) return 1
  const mode = mostLikely(probabilities)
  const spread = probabilities.reduce((sum, p, i) => sum + p * Math.abs(i - mode), 0)
  const even = probabilities.reduce((sum, _, i) => sum + Math.abs(i - (n - 1) / 2), 0) / n
  return clamp(1 - spread / even, 1)
}

/** Stands for the text of a level without one. */
const nameOfLevel = (level: number): string => `Level ${level}`

/** Returns levels as sent, of which equal ones are numbered. The first of them keeps its text. */
function distinctLevels(parts: WirePart[]): WirePart[] {
  const texts = parts.map((part) => (typeof part === "string" ? JSON.parse(part) : part.text.text()))
  const names = distinctNames(texts, Number.POSITIVE_INFINITY)
  return parts.map((part, i) => (names[i] === texts[i] ? part : JSON.stringify(names[i])))
}

/** The type of questions with ordered levels. The answer has a probability for each level and the weighted average. */
export const score: QuestionType<ScoreQuestion, ScoreAnswer, ScoreBars, ScoreFields, ReturnType<typeof scoreSchema>> = {
  label: "on a scale",
  addLabel: "Add score",
  scale: "ordinal",

  check(name, instructions, node) {
    const path = criteriaPath(name)
    const max = CEILINGS.levels
    if (node?.kind !== "array") refuse(path, "The criteria of a score question must be an array of levels.")
    if (node.size < 1 || node.size > max) refuse(path, `A score question has 1 to ${max} levels.`)
    const levels = checkEach(
      node.children(),
      (child, index) => child.text() ?? refuse([...path, index], "A level must be a string, an object or an array."),
    )
    return { type: "score", name, instructions, levels }
  },

  exceededLimit: ({ levels }, { maxLevels }) =>
    levels.length > maxLevels ? `This model takes at most ${countOf(maxLevels, "level")} in a score question.` : null,

  criteriaTexts: ({ levels }) => levels,

  criteria: ({ levels }) => levels.map((text, level) => ({ term: String(level), text })),

  defaultInstructions: "Which level fits the state best?",

  writeCriteria({ levels }, write, needsDistinctLevels = false) {
    const parts = levels.map((level, i) => write(level) ?? JSON.stringify(nameOfLevel(i)))
    return ["[", ...joinParts((needsDistinctLevels ? distinctLevels(parts) : parts).map((part) => [part])), "]"]
  },

  certainAnswer: ({ levels }) => (levels.length === 1 ? { type: "score", probabilities: [1] } : null),

  readAnswer(question, members, numbers = NORMALISED) {
    const probabilities = readProbabilities(members.probabilities, keysOf(question), numbers)
    checkMean(members.score, probabilities)
    return { type: "score", probabilities }
  },
  writeAnswer: (question, answer) => ({ probabilities: writeProbabilities(answer.probabilities, keysOf(question)) }),
  numbers: ({ probabilities }) => probabilities,
  topProbability: ({ probabilities }) => Math.max(...normalise(probabilities, probabilities.length)),

  toAnswer: (probabilities) => ({ type: "score", probabilities }),
  labels: {
    meanings: ({ levels }) => levels.map((level, i) => [level.isEmpty() ? own(nameOfLevel(i)) : { client: level }]),
    ownTexts: Array.from({ length: CEILINGS.levels }, (_, level) => nameOfLevel(level)),
    request: "The levels are ordered, the lowest first. Answer with the label of the best level only.",
  },
  decision: {
    options: ({ levels }, { value }) => levels.map((level, i) => ({ key: String(i), description: value(level) })),
  },
  byKeywords: ({ instructions, levels }, rules) => ({
    type: "score",
    probabilities: rules.levels(instructions, levels),
  }),

  renderAnswer({ levels }, answer) {
    const p = normalise(answer.probabilities, levels.length)
    const legend = jsonObject(levels.map((level, i) => [String(i), level.json()]))
    const probabilities = jsonObject(p.map((value, i) => [String(i), String(value)]))
    return `{"type":"score","score":${meanLevel(p)},"confidence":${scoreConfidence(p)},"legend":${legend},"probabilities":${probabilities}}`
  },

  answerType(question) {
    const indexes = typescriptUnion(keysOf(question))
    return `{ type: "score"; score: number; confidence: number; legend: Record<${indexes}, unknown>; probabilities: Record<${indexes}, number> }`
  },

  prepare: ({ levels }, answer) => prepareLevels(levels, answer),
  figures: levelFigures,
  automation: {
    kind: "floor",
    measure: ({ confidence }) => confidence,
    thresholdFrom: (within) => ({ within }),
    withinShare,
  },
  explainConfidence: ({ bars }) => explainScore(bars.map(({ value }) => value)),

  schema: scoreSchema,
  outcomes: scoreOutcomes,

  form: scoreForm,
  hints: scoreHints,
}
