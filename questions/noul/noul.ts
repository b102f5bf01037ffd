import { ServiceError } from "@/lib/shared/errors"
import type { JsonText } from "@/lib/shared/json/text"
import { criteriaPath, descriptionOf, membersOf, refuse } from "../check-fields"
import { formatPercent, memberOf, probabilityOf, type Share, toFigure, toShare } from "../display"
import { joinParts, readProbability } from "../engine-wire"
import { clamp } from "../probabilities"
import type { QuestionBase, QuestionType } from "../question-type"
import { type NoulFields, noulForm } from "./form"
import { noulHints } from "./hints"
import { noulOutcomes, YES_FROM } from "./outcomes"
import { noulRewordings } from "./rewordings"

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

/** The type of yes/no questions. The answer is the probability of yes. */
export const noul: QuestionType<NoulQuestion, NoulAnswer, NoulGauge, NoulFields> = {
  label: "yes or no",

  check(name, instructions, node) {
    if (!node) {
      if (!instructions) refuse(`questions.${name}`, "A noul question needs instructions or criteria.")
      return { type: "noul", name, instructions, criteria: null }
    }
    const path = criteriaPath(name)
    if (node.kind !== "object") refuse(path, "The criteria of a noul question must be an object.")
    const members = membersOf(node, ["true", "false"], path)
    const meaning = (answer: "true" | "false") => {
      const member = members[answer]
      return member ? descriptionOf(member, `${path}.${answer}`) : null
    }
    return { type: "noul", name, instructions, criteria: { yes: meaning("true"), no: meaning("false") } }
  },

  exceededLimit: () => null,

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

  readAnswer: (_question, members) => ({ type: "noul", yes: readProbability(members.noul) }),
  writeAnswer: (_question, { yes }) => ({ noul: yes }),
  numbers: ({ yes }) => [yes],
  isUnordered: false,

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
  explainConfidence: () => null,

  outcomes: noulOutcomes,

  form: noulForm,
  hints: noulHints,
  rewordings: noulRewordings,
}
