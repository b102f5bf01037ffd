import { readStored, writeStored } from "@/lib/shared/browser-storage"
import type { QuestionForm, RequestForm } from "@/lib/shared/request-form/request-form"
import { isTextOrJson } from "@/lib/shared/request-form/text-or-json"
import type { KeyChoice, ModelChoice } from "@/lib/shared/runs/model-choice"
import { criteriaForm, TYPE_NAMES } from "@/questions/question-types"
import type { RequestSnapshot } from "./json-view"

/** Per account, so that another account in the same browser starts with the example. */
const keyOf = (accountId: string): string => `playground:${accountId}`

export type Draft = RequestSnapshot

type Unknown<Type> = { [Name in keyof Type]?: unknown }

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null
const isText = (value: unknown): value is string => typeof value === "string"
const isOptionalText = (value: unknown): boolean => value === undefined || isText(value)
const isListOf = (value: unknown, isItem: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isItem)
const isOptionalTexts = (value: unknown): boolean => value === undefined || isListOf(value, isText)

function isQuestion(value: unknown): value is QuestionForm {
  if (!isObject(value)) return false
  const question: Unknown<QuestionForm> = value
  return (
    TYPE_NAMES.some((type) => type === question.type) &&
    isText(question.name) &&
    isTextOrJson(question.instructions) &&
    TYPE_NAMES.every((type) => criteriaForm(type).isStored(value)) &&
    [question.spelled, question.typeSpelled].every(isOptionalText) &&
    isOptionalTexts(question.members)
  )
}

/** Written by hand, because a schema library would be a sixth of the page's code. */
function isForm(value: unknown): value is RequestForm {
  if (!isObject(value)) return false
  const form: Unknown<RequestForm> = value
  return (
    [form.model, form.keyId].every(isText) &&
    isOptionalText(form.modelSpelled) &&
    isTextOrJson(form.state) &&
    isListOf(form.questions, isQuestion) &&
    isOptionalTexts(form.members)
  )
}

/** Returns a stored value as a draft; null when it is missing or from another version. */
export function parseDraft(value: unknown): Draft | null {
  if (!isObject(value) || !isForm(value.form)) return null
  const { form, json } = value
  return json === null || isText(json) ? { form, json } : null
}

export const readDraft = (accountId: string): Draft | null => parseDraft(readStored(keyOf(accountId)))

/** Stores an account's draft. Returns false when the browser has no room for it. */
export const writeDraft = (accountId: string, draft: Draft): boolean => writeStored(keyOf(accountId), draft)

export function repairDraft({ form, json }: Draft, models: ModelChoice[], keys: KeyChoice[]): Draft {
  const model = models.some(({ id }) => id === form.model) ? form.model : (models[0]?.id ?? "")
  const keyId = keys.some(({ id }) => id === form.keyId) ? form.keyId : ""
  return { form: { ...form, model, keyId }, json }
}
