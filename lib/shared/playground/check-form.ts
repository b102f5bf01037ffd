import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import { checkModelLimits, checkRequest, scanRefusal } from "@/lib/shared/decisions/check-request"
import { scan } from "@/lib/shared/json/scan"
import type { ShapeLimits } from "@/questions/limits"
import { fieldOfParam } from "./field-of-param"
import type { PlaygroundForm, QuestionForm, Words } from "./schema"
import { asText } from "./words"
import { writeRequest } from "./write-request"

/** What the API has against one field, named as react-hook-form names fields. */
export interface Verdict {
  field: string
  message: string
}

export type CheckedForm =
  | { ok: true; requestText: string; request: CheckedRequest }
  /** What the API says first, then what it would say of every other question. `isSound`: all JSON in the form is JSON. */
  | { ok: false; isSound: boolean; verdicts: [Verdict, ...Verdict[]] }

const encoder = new TextEncoder()

/** Why JSON words are no single JSON value, in the API's words, or null. They are checked alone, so that none ends its field early. */
export function refusedWords({ kind, text }: Words, what: string): string | null {
  if (kind === "text") return null
  const scanned = scan(encoder.encode(text))
  if (scanned.ok) return null
  const refused = scanRefusal(scanned.fault, "body")
  return refused.ok ? null : refused.message.replace("The body", what)
}

function wordsOf(question: QuestionForm, path: string): [field: string, words: Words][] {
  const told: [string, Words][] = [[`${path}.instructions.text`, question.instructions]]
  if (question.type === "noul") told.push([`${path}.yes.text`, question.yes], [`${path}.no.text`, question.no])
  if (question.type === "choice")
    for (const [at, option] of question.options.entries())
      told.push([`${path}.options.${at}.description.text`, option.description])
  if (question.type === "score")
    for (const [at, level] of question.levels.entries()) told.push([`${path}.levels.${at}.label.text`, level.label])
  return told
}

/** JSON that is none, wherever it was typed. */
function brokenWords(form: PlaygroundForm): Verdict[] {
  const told = form.questions.flatMap((question, at) => wordsOf(question, `questions.${at}`))
  const broken = told.flatMap(([field, words]) => {
    const message = words.text.trim() === "" ? null : refusedWords(words, "This")
    return message === null ? [] : [{ field, message }]
  })
  const state = refusedWords(form.state, "The state")
  return state === null ? broken : [{ field: "state.text", message: state }, ...broken]
}

/** The verdict on each question as if it were asked alone; a name that repeats is for the whole request to find. */
function verdictsAlone(form: PlaygroundForm): Verdict[] {
  return form.questions.flatMap((question, at) => {
    const alone = { ...form, model: "m", state: asText("s"), questions: [question] }
    const checked = checkRequest(encoder.encode(writeRequest(alone)))
    if (checked.ok) return []
    const field = fieldOfParam(alone, checked.param)?.replace(/^questions\.0\./, `questions.${at}.`)
    return field && field !== "questions.root" ? [ofOneName(form, { field, message: checked.message })] : []
  })
}

const NAME = /^questions\.(\d+)\.(?:options\.(\d+)\.)?name$/

/** Of two names that are still empty the API says that they are equal: here, what it says of one alone. */
function ofOneName(form: PlaygroundForm, verdict: Verdict): Verdict {
  const [, at, optionAt] = NAME.exec(verdict.field) ?? []
  const question = form.questions[Number(at)]
  const option = optionAt === undefined ? undefined : question?.options[Number(optionAt)]
  if (!question || (option ?? question).name !== "") return verdict
  const asked = option ? { ...question, name: "q", options: [option] } : question
  const checked = checkRequest(encoder.encode(writeRequest({ ...form, model: "m", questions: [asked] })))
  return checked.ok ? verdict : { ...verdict, message: checked.message }
}

/** The text of the request that the form stands for, or the verdicts that the API would give on it. */
export function checkForm(form: PlaygroundForm, limits?: ShapeLimits): CheckedForm {
  const [broken, ...others] = brokenWords(form)
  if (broken) return { ok: false, isSound: false, verdicts: [broken, ...others] }
  const requestText = writeRequest(form)
  const checked = checkRequest(encoder.encode(requestText))
  const refusal = checked.ok ? limits && checkModelLimits(checked.request, limits) : checked
  if (checked.ok && !refusal) return { ok: true, requestText, request: checked.request }
  const { param, message } = refusal as { param: string; message: string }
  const first = ofOneName(form, { field: fieldOfParam(form, param) ?? "state.text", message })
  const alone = verdictsAlone(form).filter(({ field }) => field !== first.field)
  return { ok: false, isSound: true, verdicts: [first, ...alone] }
}
