import { ServiceError } from "@/lib/shared/errors"
import type { JsonText } from "@/lib/shared/json/text"
import { checkAll, checkNames, criteriaPath, descriptionOf, membersOf, refuse } from "../check-fields"
import type { DecisionForm } from "../decision-form"
import { formatPercent, memberOf, probabilityOf, type Share, toFigure, toShare } from "../display"
import {
  badResponse,
  checkSum,
  type EngineNumbers,
  isMembers,
  isRounded,
  joinParts,
  type Members,
  NORMALISED,
  readProbability,
} from "../engine-wire"
import { given, own } from "../label-form"
import { clamp, YES_FROM } from "../probabilities"
import type { QuestionBase, QuestionType } from "../question-type"
import { type NoulFields, noulForm } from "./form"
import { noulHints } from "./hints"
import { noulOutcomes } from "./outcomes"
import { noulRewordings } from "./rewordings"
import { noulSchema } from "./schema"

export interface NoulQuestion extends QuestionBase {
  type: "noul"
  /** Null when absent. A description is null when absent or null. */
  criteria: { yes: JsonText | null; no: JsonText | null } | null
}

export interface NoulAnswer {
  type: "noul"
  /** The probability of yes, 0 to 1. */
  yes: number
}

export interface NoulGauge {
  yes: Share
  /** The probability of no: the response states only that of yes. */
  noPercent: string
  /** The probability from which on the verdict is yes. */
  threshold: number
  verdict: "yes" | "no"
}

const noulDecision: DecisionForm<NoulQuestion, NoulAnswer> = {
  options({ criteria }, { value }, { isTrueFirst }) {
    const no = { key: "false", description: value(criteria?.no ?? null) }
    const yes = { key: "true", description: value(criteria?.yes ?? null) }
    return isTrueFirst ? [yes, no] : [no, yes]
  },
  labels: {
    count: ({ ratings }) => ratings ?? 2,
    toAnswer: (probabilities, { ratings, isTrueFirst }) => ({
      type: "noul",
      yes: ratings ? meanRating(probabilities) : (probabilities[isTrueFirst ? 0 : 1] ?? 0),
    }),
  },
}

/** Returns the mean of ratings from 0 to 1, weighted by their probabilities. */
const meanRating = (probabilities: number[]): number =>
  probabilities.reduce((sum, p, i) => sum + (p * i) / (probabilities.length - 1), 0)

/** Throws `upstream_error` when an engine that also states the probabilities of yes and no contradicts itself. */
function checkBoth(yes: number, stated: unknown, numbers: EngineNumbers): void {
  if (!isMembers(stated)) return
  const { yes: first = stated.true, no: second = stated.false }: Members = stated
  const [again, no] = [readProbability(first, numbers), readProbability(second, numbers)]
  checkSum([again, no], numbers)
  if (!isRounded(again, yes)) badResponse("the probability of yes is stated as two numbers")
}

const ANSWERS = ["true", "false"] as const

/** The type of yes/no questions. The answer is the probability of yes. */
export const noul: QuestionType<NoulQuestion, NoulAnswer, NoulGauge, NoulFields, ReturnType<typeof noulSchema>> = {
  label: "yes or no",
  addLabel: "Add yes/no",
  scale: "binary",

  check(name, instructions, node) {
    if (!node) {
      if (!instructions) refuse(["questions", name], "A noul question needs instructions or criteria.")
      return { type: "noul", name, instructions, criteria: null }
    }
    const path = criteriaPath(name)
    if (node.kind !== "object") refuse(path, "The criteria of a noul question must be an object.")
    const members = membersOf(node, ANSWERS)
    const meaning = (answer: (typeof ANSWERS)[number]) => () => {
      const member = members[answer]
      return member ? descriptionOf(member, [...path, answer]) : null
    }
    const [, yes, no] = checkAll(() => checkNames(node, ANSWERS, path), meaning("true"), meaning("false"))
    return { type: "noul", name, instructions, criteria: { yes, no } }
  },

  criteriaTexts: ({ criteria }) => [criteria?.yes ?? null, criteria?.no ?? null].filter((text) => text !== null),

  criteria: ({ criteria }) =>
    [
      { term: "Yes means", text: criteria?.yes ?? null },
      { term: "No means", text: criteria?.no ?? null },
    ].filter(({ text }) => text !== null),

  defaultInstructions: "Does the state fit the description of yes rather than the description of no?",

  writeCriteria({ criteria }, write) {
    const yes = criteria && write(criteria.yes)
    const no = criteria && write(criteria.no)
    if (!yes && !no) return []
    return ["{", ...joinParts([...(yes ? [['"true":', yes]] : []), ...(no ? [['"false":', no]] : [])]), "}"]
  },

  certainAnswer: () => null,

  readAnswer(_question, members, numbers = NORMALISED) {
    const yes = readProbability(members.noul, numbers)
    checkBoth(yes, members.probabilities, numbers)
    const { isNormalised, labelMass } = numbers
    if (isNormalised || labelMass === null) return { type: "noul", yes }
    // An answer that is not normalised has only the probability of yes, as a part of the label mass.
    checkSum([yes, Math.max(0, labelMass - yes)], numbers)
    return { type: "noul", yes: clamp(yes / labelMass, 1) }
  },
  writeAnswer: (_question, { yes }) => ({ noul: yes }),
  numbers: ({ yes }) => [yes],
  topProbability: ({ yes }) => Math.max(clamp(yes, 1), 1 - clamp(yes, 1)),

  toAnswer: ([yes = 0]) => ({ type: "noul", yes }),
  labels: {
    meanings: ({ criteria }) => [
      [own("Yes"), ...given(criteria?.yes ?? null)],
      [own("No"), ...given(criteria?.no ?? null)],
    ],
    ownTexts: ["Yes", "No"],
    request: "Answer with the label of the right answer only.",
  },
  decision: noulDecision,
  byKeywords: ({ instructions, criteria }, rules) => ({
    type: "noul",
    yes: rules.claim(instructions, criteria?.yes ?? null, criteria?.no ?? null),
  }),

  renderAnswer(_question, { yes }) {
    if (!Number.isFinite(yes)) throw new ServiceError("upstream_error")
    return `{"type":"noul","noul":${clamp(yes, 1)}}`
  },

  answerType: () => `{ type: "noul"; noul: number }`,

  prepare(_question, answer) {
    const yes = probabilityOf(memberOf(answer, "noul"))
    if (yes === null) return null
    return {
      yes: toShare(yes),
      noPercent: formatPercent(1 - yes),
      threshold: YES_FROM,
      verdict: yes >= YES_FROM ? "yes" : "no",
    }
  },

  figures: ({ yes }) => [toFigure("Yes", yes.value)],

  automation: { kind: "band", measure: ({ yes }) => yes },

  schema: noulSchema,
  outcomes: noulOutcomes,

  form: noulForm,
  hints: noulHints,
  rewordings: noulRewordings,
}
