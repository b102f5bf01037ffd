import { type CheckedRequest, checkModelLimits, checkRequest, scanRefusal } from "@/lib/shared/decisions/check-request"
import { scan } from "@/lib/shared/json/scan"
import type { ShapeLimits } from "@/questions/limits"
import { criteriaForm } from "@/questions/question-types"
import { fieldOfParam } from "./field-of-param"
import type { QuestionForm, RequestForm } from "./request-form"
import { asText, type TextOrJson } from "./text-or-json"
import { writeRequest } from "./write-request"

/** An error and the path of its field, such as `questions.0.name`. A list's own path ends in `.root`. */
export interface Verdict {
  field: string
  message: string
}

export type CheckedForm =
  | { ok: true; requestText: string; request: CheckedRequest }
  /** The API's error comes first, then the errors of the other questions. */
  | { ok: false; isJsonValid: boolean; verdicts: [Verdict, ...Verdict[]] }

const encoder = new TextEncoder()

/**
 * Returns why a field's JSON is invalid, or null. Each field is checked alone, because unbalanced brackets could change the rest
 * of the request.
 */
function jsonError({ kind, text }: TextOrJson, subject: string): string | null {
  if (kind === "text") return null
  const scanned = scan(encoder.encode(text))
  if (scanned.ok) return null
  const refused = scanRefusal(scanned.fault, "body")
  return refused.ok ? null : refused.message.replace("The body", subject)
}

function valuesOf(question: QuestionForm, path: string): [field: string, value: TextOrJson][] {
  const criteria = criteriaForm(question.type).values(question)
  return [
    [`${path}.instructions.text`, question.instructions],
    ...criteria.map(([field, value]): [string, TextOrJson] => [`${path}.${field}`, value]),
  ]
}

function jsonErrors(form: RequestForm): Verdict[] {
  const values = form.questions.flatMap((question, at) => valuesOf(question, `questions.${at}`))
  const errors = values.flatMap(([field, value]) => {
    const message = value.text.trim() === "" ? null : jsonError(value, "This")
    return message === null ? [] : [{ field, message }]
  })
  const state = jsonError(form.state, "The state")
  return state === null ? errors : [{ field: "state.text", message: state }, ...errors]
}

/** Checks each question as the only one of its request. Repeated names are found in the whole request. */
function errorsPerQuestion(form: RequestForm): Verdict[] {
  return form.questions.flatMap((question, at) => {
    const alone = { ...form, model: "m", state: asText("s"), questions: [question] }
    const checked = checkRequest(encoder.encode(writeRequest(alone)))
    if (checked.ok) return []
    const field = fieldOfParam(alone, checked.param)?.replace(/^questions\.0\./, `questions.${at}.`)
    return field && field !== "questions.root" ? [nameVerdict(form, { field, message: checked.message })] : []
  })
}

const NAME = /^questions\.(\d+)\.(?:(\w+)\.(\d+)\.)?name$/

/** The API only reports that names repeat. Says which name repeats, or for empty names which names are allowed. */
function nameVerdict(form: RequestForm, verdict: Verdict): Verdict {
  const [, at, list, partAt] = NAME.exec(verdict.field) ?? []
  const question = form.questions[Number(at)]
  if (!question) return verdict
  const named = list === undefined ? undefined : criteriaForm(question.type).named
  const siblings = named ? named.parts(question) : form.questions
  const name = named ? siblings[Number(partAt)]?.name : question.name
  if (name === undefined) return verdict
  if (name !== "") {
    if (siblings.filter((sibling) => sibling.name === name).length < 2) return verdict
    return { ...verdict, message: `Two ${list ?? "questions"} are named "${name}". Rename one of them.` }
  }
  const alone = named ? { ...question, name: "q", ...named.only(question, Number(partAt)) } : question
  const checked = checkRequest(encoder.encode(writeRequest({ ...form, model: "m", questions: [alone] })))
  return checked.ok ? verdict : { ...verdict, message: checked.message }
}

/** Returns the form as a checked request, or the errors that the API would return for it, by field. */
export function checkForm(form: RequestForm, limits?: ShapeLimits): CheckedForm {
  const [broken, ...others] = jsonErrors(form)
  if (broken) return { ok: false, isJsonValid: false, verdicts: [broken, ...others] }
  const requestText = writeRequest(form)
  const checked = checkRequest(encoder.encode(requestText))
  const refusal = checked.ok ? limits && checkModelLimits(checked.request, limits) : checked
  if (checked.ok && !refusal) return { ok: true, requestText, request: checked.request }
  const { param, message } = refusal as { param: string; message: string }
  const first = nameVerdict(form, { field: fieldOfParam(form, param) ?? "state.text", message })
  const rest = errorsPerQuestion(form).filter(({ field }) => field !== first.field)
  return { ok: false, isJsonValid: true, verdicts: [first, ...rest] }
}
