import { countOf } from "@/lib/shared/format"
import type { JsonText } from "@/lib/shared/json/text"
import { jsonObject, typescriptUnion } from "../answer-text"
import { checkEach, criteriaPath, descriptionOf, refuse } from "../check-fields"
import { distinctNames } from "../distinct-names"
import { checkLargest, joinParts, NORMALISED, readProbabilities, writeProbabilities } from "../engine-wire"
import type { NamedOption } from "../keyword-rules"
import { given } from "../label-form"
import { CEILINGS } from "../limits"
import { clamp, mostLikely, normalise } from "../probabilities"
import type { QuestionBase, QuestionType } from "../question-type"
import { barFigures, type ChoiceBars, chosenShare, explainChoice, prepareBars } from "./bars"
import { type ChoiceFields, choiceForm } from "./form"
import { choiceHints } from "./hints"
import { choiceOutcomes, namesOf } from "./outcomes"
import { plainNames } from "./plain-names"
import { choiceRewordings } from "./rewordings"
import { choiceSchema } from "./schema"

export interface ChoiceQuestion extends QuestionBase {
  type: "choice"
  /** In request order; names are unique. */
  options: NamedOption[]
}

export interface ChoiceAnswer {
  type: "choice"
  /** One per option, in the question's order. */
  probabilities: number[]
}

/** Returns the confidence of a choice, 0 to 1: 0 for an even split, 1 when one option has all probability. */
export function choiceConfidence(probabilities: number[]): number {
  const n = probabilities.length
  if (n < 2) return 1
  return clamp((n * Math.max(...probabilities) - 1) / (n - 1), 1)
}

function renamed(question: ChoiceQuestion, rename: (names: string[]) => string[]): ChoiceQuestion {
  const names = rename(namesOf(question))
  return { ...question, options: question.options.map((option, i) => ({ ...option, name: names[i] ?? "" })) }
}

/** The type of questions with named options. The answer has a probability for each option. */
export const choice: QuestionType<
  ChoiceQuestion,
  ChoiceAnswer,
  ChoiceBars,
  ChoiceFields,
  ReturnType<typeof choiceSchema>
> = {
  label: "one of several",
  addLabel: "Add choice",
  scale: "nominal",

  check(name, instructions, node) {
    const path = criteriaPath(name)
    const max = CEILINGS.options
    if (node?.kind !== "object") refuse(path, "The criteria of a choice question must be an object of options.")
    if (node.size < 1 || node.size > max) refuse(path, `A choice question has 1 to ${max} options.`)
    const options = checkEach(node.children(), (child) => {
      const option = child.name(CEILINGS.optionName)
      if (!option) refuse(path, `The name of an option has 1 to ${CEILINGS.optionName} characters.`)
      return { name: option, description: descriptionOf(child, [...path, option]) }
    })
    return { type: "choice", name, instructions, options }
  },

  exceededLimit: ({ options }, { maxOptions }) =>
    options.length > maxOptions
      ? `This model takes at most ${countOf(maxOptions, "option")} in a choice question.`
      : null,

  criteriaTexts({ options }) {
    const texts: (JsonText | string)[] = []
    for (const { name, description } of options) {
      texts.push(name)
      if (description) texts.push(description)
    }
    return texts
  },

  criteria: ({ options }) => options.map(({ name, description }) => ({ term: name, text: description })),

  defaultInstructions: "Which option fits the state best?",

  writeCriteria: ({ options }, write) => [
    "{",
    ...joinParts(options.map(({ name, description }) => [`${JSON.stringify(name)}:`, write(description) ?? "null"])),
    "}",
  ],

  certainAnswer: ({ options }) => (options.length === 1 ? { type: "choice", probabilities: [1] } : null),

  readAnswer(question, members, numbers = NORMALISED) {
    const names = namesOf(question)
    const probabilities = readProbabilities(members.probabilities, names, numbers)
    checkLargest(members.choice, names, probabilities)
    return { type: "choice", probabilities }
  },
  writeAnswer: (question, answer) => ({ probabilities: writeProbabilities(answer.probabilities, namesOf(question)) }),
  numbers: ({ probabilities }) => probabilities,
  topProbability: ({ probabilities }) => Math.max(...normalise(probabilities, probabilities.length)),

  toAnswer: (probabilities) => ({ type: "choice", probabilities }),
  labels: {
    meanings: ({ options }) => options.map(({ name, description }) => [{ client: name }, ...given(description)]),
    ownTexts: [],
    request: "Answer with the label of the best option only.",
  },
  decision: {
    options: ({ options }, texts) =>
      options.map(({ name, description }) => ({ key: texts.name(name), description: texts.value(description) })),
  },
  byKeywords: ({ options }, rules) => ({ type: "choice", probabilities: rules.options(options) }),

  options: {
    count: ({ options }) => options.length,
    pick: (question, indexes) => ({ ...question, options: indexes.flatMap((i) => question.options[i] ?? []) }),
    withPlainNames: (question) => renamed(question, plainNames),
    withNames: (question, rename) =>
      question.options.every(({ name }) => rename(name) === name)
        ? question
        : renamed(question, (names) => distinctNames(names.map(rename))),
  },

  renderAnswer({ options }, answer) {
    const p = normalise(answer.probabilities, options.length)
    const choice = JSON.stringify(options[mostLikely(p)]?.name)
    const probabilities = jsonObject(options.map(({ name }, i) => [name, String(p[i])]))
    return `{"type":"choice","choice":${choice},"confidence":${choiceConfidence(p)},"probabilities":${probabilities}}`
  },

  answerType(question) {
    const names = typescriptUnion(namesOf(question))
    return `{ type: "choice"; choice: ${names}; confidence: number; probabilities: Record<${names}, number> }`
  },

  prepare: (question, answer) => prepareBars(namesOf(question), answer),
  figures: barFigures,
  automation: {
    kind: "floor",
    measure: ({ confidence }) => confidence,
    thresholdFrom: (probability) => ({ probability }),
    optionShare: chosenShare,
  },
  explainConfidence: ({ bars, rest }) => explainChoice([...bars, ...(rest?.bars ?? [])].map(({ value }) => value)),

  schema: choiceSchema,
  outcomes: choiceOutcomes,

  form: choiceForm,
  hints: choiceHints,
  rewordings: choiceRewordings,
}
