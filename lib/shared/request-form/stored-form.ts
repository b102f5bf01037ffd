import { isObject } from "@/lib/shared/json/is-object"
import { isTextOrJson } from "@/lib/shared/json-source/text-or-json"
import type { QuestionForm } from "@/questions/question-form"
import { criteriaForm, TYPE_NAMES } from "@/questions/question-types"
import type { RequestForm } from "./request-form"

type Unknown<Type> = { [Name in keyof Type]?: unknown }

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

/**
 * Returns whether a value that was stored is a form of this version. Written by hand, because a schema library would be a
 * sixth of the page's code.
 */
export function isStoredForm(value: unknown): value is RequestForm {
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
