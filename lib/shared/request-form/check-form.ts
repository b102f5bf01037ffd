import { type CheckedRequest, checkModelLimits, checkRequest } from "@/lib/shared/decisions/check-request"
import { countOf } from "@/lib/shared/format"
import { paramOf } from "@/lib/shared/json/field-path"
import { asText, isBlank, type TextOrJson } from "@/lib/shared/json-source/text-or-json"
import type { Refusal } from "@/questions/check-fields"
import { type ShapeLimits, WIDEST } from "@/questions/limits"
import type { QuestionForm } from "@/questions/question-form"
import { criteriaForm } from "@/questions/question-types"
import { fieldOfParam } from "./field-of-param"
import { describeFault, faultOfJson } from "./find-fault"
import type { RequestForm } from "./request-form"
import { writeRequest } from "./write-request"

/** An error and the path of its field, such as `questions.0.name`. A list's own path ends in `.root`. */
export interface FieldError {
  field: string
  message: string
  /** The user sees it while typing, not only after leaving the field: more typing does not fix it. */
  isImmediate?: true
}

export type CheckedForm =
  | { ok: true; requestText: string; request: CheckedRequest }
  /** The API's error comes first, then the errors of the other questions. */
  | { ok: false; isJsonValid: boolean; errors: [FieldError, ...FieldError[]] }

const encoder = new TextEncoder()

/**
 * Returns why a field's JSON is invalid, or null. Each field is checked alone, because unbalanced brackets could change the rest
 * of the request.
 */
function jsonError({ kind, text }: TextOrJson, subject: string): string | null {
  const fault = kind === "text" ? null : faultOfJson(text, subject)
  if (!fault) return null
  return fault.expected ? `${fault.message} ${describeFault(fault)}` : fault.message
}

function valuesOf(question: QuestionForm, path: string): [field: string, value: TextOrJson][] {
  const criteria = criteriaForm(question.type).values(question)
  return [
    [`${path}.instructions.text`, question.instructions],
    ...criteria.map(([field, value]): [string, TextOrJson] => [`${path}.${field}`, value]),
  ]
}

function jsonErrors(form: RequestForm): FieldError[] {
  const values = form.questions.flatMap((question, at) => valuesOf(question, `questions.${at}`))
  const errors = values.flatMap(([field, value]) => {
    const message = value.text.trim() === "" ? null : jsonError(value, "This")
    return message === null ? [] : [{ field, message }]
  })
  const state = jsonError(form.state, "The state")
  return state === null ? errors : [{ field: "state.text", message: state }, ...errors]
}

/** Checks each question as the only one of its request. Repeated names are found in the whole request. */
function errorsPerQuestion(form: RequestForm): FieldError[] {
  return form.questions.flatMap((question, at) => {
    const alone = { ...form, model: "m", state: asText("s"), questions: [question] }
    const checked = checkRequest(encoder.encode(writeRequest(alone)))
    if (checked.ok) return []
    const field = fieldOfParam(alone, checked.param)?.replace(/^questions\.0\./, `questions.${at}.`)
    return field && field !== "questions.root" ? [{ field, message: checked.message }] : []
  })
}

function repeatedIn(items: readonly { name: string }[], what: string, path: string): FieldError[] {
  const places = new Map<string, number[]>()
  for (const [at, { name }] of items.entries()) places.set(name, [...(places.get(name) ?? []), at])
  places.delete("")
  return [...places].flatMap(([name, [, ...later]]) => {
    const [count, which] = later.length === 1 ? ["Two", "one of them"] : [later.length + 1, "all but one"]
    const message = `${count} ${what} are named "${name}". Rename ${which}.`
    return later.map((at): FieldError => ({ field: `${path}.${at}.name`, message, isImmediate: true }))
  })
}

/** The API reports the first repeated name. Returns all, at each question or option but the first of that name. */
function repeatedNames({ questions }: RequestForm): FieldError[] {
  const parts = questions.flatMap((question, at) => {
    const { named } = criteriaForm(question.type)
    return named ? repeatedIn(named.parts(question), "options", `questions.${at}.options`) : []
  })
  return [...repeatedIn(questions, "questions", "questions"), ...parts]
}

const NAME = /^questions\.(\d+)\.(?:(\w+)\.(\d+)\.)?name$/

/** Returns an error about a name. The API reports that empty names repeat; the form shows which names are allowed instead. */
function describeNameError(form: RequestForm, error: FieldError): FieldError {
  const [, at, list, partAt] = NAME.exec(error.field) ?? []
  const question = form.questions[Number(at)]
  if (!question) return error
  const named = list === undefined ? undefined : criteriaForm(question.type).named
  const name = named ? named.parts(question)[Number(partAt)]?.name : question.name
  if (name !== "") return { ...error, isImmediate: true }
  const alone = named ? { ...question, name: "q", ...named.only(question, Number(partAt)) } : question
  const checked = checkRequest(encoder.encode(writeRequest({ ...form, model: "m", questions: [alone] })))
  return checked.ok ? error : { ...error, message: checked.message }
}

function countFault(noun: string, count: number, max: number): string | null {
  if (count === 0) return `Add at least one ${noun}. This model takes up to ${max}.`
  return count > max ? `This model takes up to ${countOf(max, noun)}. Remove ${count - max}.` : null
}

const QUESTION = /^questions\.(\d+)\.(.+)$/

/** Returns an API error with the form's terms in its message. */
function inFormTerms(form: RequestForm, limits: ShapeLimits, error: FieldError): FieldError {
  const words = (message: string | null): FieldError => (message === null ? error : { ...error, message })
  if (error.field === "questions.root") return words(countFault("question", form.questions.length, limits.maxQuestions))
  const [, at, field] = QUESTION.exec(error.field) ?? []
  const question = form.questions[Number(at)]
  if (!question) return error
  const { list, nothingToAsk } = criteriaForm(question.type)
  if (list && field === `${list.noun}s.root`)
    return words(countFault(list.noun, list.count(question), list.max(limits)))
  const isEmpty = field === "instructions.text" && isBlank(question.instructions)
  return isEmpty && nothingToAsk ? words(nothingToAsk) : describeNameError(form, error)
}

/** Returns the first error of each field. Those about repeated names replace others and come last. */
function onePerField(errors: FieldError[], repeated: FieldError[]): FieldError[] {
  const byField = new Map<string, FieldError>()
  for (const error of errors) if (!byField.has(error.field)) byField.set(error.field, error)
  for (const error of repeated) byField.set(error.field, error)
  return [...byField.values()]
}

/** Returns the form as a checked request, or the errors that the API would return for it, by field. */
export function checkForm(form: RequestForm, limits?: ShapeLimits): CheckedForm {
  const [broken, ...others] = jsonErrors(form)
  const repeated = repeatedNames(form)
  if (broken) return { ok: false, isJsonValid: false, errors: [broken, ...others, ...repeated] }
  const requestText = writeRequest(form)
  const checked = checkRequest(encoder.encode(requestText))
  const refusal = checked.ok ? limits && checkModelLimits(checked.request, limits) : checked
  if (checked.ok && !refusal) return { ok: true, requestText, request: checked.request }
  const { path, message } = refusal as Refusal
  const first = { field: fieldOfParam(form, paramOf(path)) ?? "state.text", message }
  const worded = [first, ...errorsPerQuestion(form)].map((error) => inFormTerms(form, limits ?? WIDEST, error))
  const [main = first, ...rest] = onePerField(worded, repeated)
  return { ok: false, isJsonValid: true, errors: [main, ...rest] }
}
