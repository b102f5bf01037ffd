import type {
  CheckedQuestion,
  CheckedRequest,
  ChoiceQuestion,
  NoulQuestion,
  ScoreQuestion,
} from "@/lib/shared/decisions/check"
import type { JsonText } from "@/lib/shared/json/text"
import type { Profile } from "./profile"
import { emptyLevel, INSTRUCTIONS } from "./prompt-template"
import { type Part, WireBody } from "./wire-body"

/** Longer strings of white space alone are sent as they are. */
const BLANK_BYTES = 1_024

/** True for a question that has only one possible answer, which no engine is asked for. */
export const isCertain = (question: CheckedQuestion): boolean =>
  (question.type === "choice" && question.options.length === 1) ||
  (question.type === "score" && question.levels.length === 1)

const isBlank = (text: JsonText): boolean =>
  text.isEmpty() || (text.kind === "string" && text.source.length <= BLANK_BYTES && text.text().trim() === "")

/** Lists of parts with commas between them. */
const joined = (lists: Part[][]): Part[] => lists.flatMap((list, i) => (i === 0 ? list : [",", ...list]))

/** Writes questions as one family of engines takes them. */
class QuestionWriter {
  constructor(private readonly isStrict: boolean) {}

  parts(question: CheckedQuestion): Part[] {
    const { name, type } = question
    const instructions = this.#filled(question.instructions) ?? JSON.stringify(INSTRUCTIONS[type])
    return [`"${name}":{"type":"${type}","instructions":`, instructions, ...this.#criteria(question), "}"]
  }

  /** Empty texts are valid for us and treated as null. Strict engines take strings alone. */
  #filled(text: JsonText | null): Part | null {
    if (!text || (this.isStrict ? isBlank(text) : text.isEmpty())) return null
    return { text, isQuoted: this.isStrict }
  }

  #criteria(question: CheckedQuestion): Part[] {
    if (question.type === "noul") return this.#noul(question)
    return question.type === "choice" ? this.#choice(question) : this.#score(question)
  }

  #noul({ criteria }: NoulQuestion): Part[] {
    const yes = criteria && this.#filled(criteria.yes)
    const no = criteria && this.#filled(criteria.no)
    const members = joined([...(yes ? [['"true":', yes]] : []), ...(no ? [['"false":', no]] : [])])
    return members.length ? [',"criteria":{', ...members, "}"] : []
  }

  #choice({ options }: ChoiceQuestion): Part[] {
    const members = options.map(({ name, description }) => [
      `${JSON.stringify(name)}:`,
      this.#filled(description) ?? "null",
    ])
    return [',"criteria":{', ...joined(members), "}"]
  }

  #score({ levels }: ScoreQuestion): Part[] {
    const entries = levels.map((level, i) => [this.#filled(level) ?? JSON.stringify(emptyLevel(i))])
    return [',"criteria":[', ...joined(entries), "]"]
  }
}

/** A state that is no string is sent as one string of its JSON, because engines read chat messages or nesting out of it. */
function stateParts(state: JsonText, isStrict: boolean): Part[] {
  // A strict engine refuses a blank state; its JSON says the same and is not blank.
  if (isStrict && state.kind === "string" && isBlank(state)) return [JSON.stringify(state.json())]
  return [{ text: state, isQuoted: true }]
}

/**
 * The body for `POST /v1/systemone` with some of a request's questions: source texts travel as they were sent, names in
 * request order.
 */
export function requestBody(
  model: string,
  { state, questions }: Pick<CheckedRequest, "state" | "questions">,
  { isStrict }: Pick<Profile, "isStrict">,
): WireBody {
  const writer = new QuestionWriter(isStrict)
  return new WireBody([
    `{"model":${JSON.stringify(model)},"state":`,
    ...stateParts(state, isStrict),
    ',"questions":{',
    ...joined(questions.map((question) => writer.parts(question))),
    "}}",
  ])
}
