import type { PlaygroundForm, QuestionForm, Words } from "./schema"

/** What was typed, and the JSON view's text where that was shown. */
export interface Draft {
  form: PlaygroundForm
  json: string | null
}

/** Per account: who signs in next in the same browser starts with the example. */
const nameOf = (accountId: string): string => `playground:${accountId}`

type Unknown<Type> = { [Name in keyof Type]?: unknown }

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null
const isText = (value: unknown): value is string => typeof value === "string"
const isTextOrNone = (value: unknown): boolean => value === undefined || isText(value)
const isListOf = (value: unknown, isItem: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isItem)
const isTextsOrNone = (value: unknown): boolean => value === undefined || isListOf(value, isText)

function isWords(value: unknown): value is Words {
  if (!isObject(value)) return false
  const { kind, text, spelled }: Unknown<Words> = value
  return (kind === "text" || kind === "json") && isText(text) && isTextOrNone(spelled)
}

const isOption = (value: unknown): boolean =>
  isObject(value) && isText(value.name) && isWords(value.description) && isTextOrNone(value.spelled)

function isQuestion(value: unknown): value is QuestionForm {
  if (!isObject(value)) return false
  const question: Unknown<QuestionForm> = value
  return (
    (question.type === "noul" || question.type === "choice" || question.type === "score") &&
    isText(question.name) &&
    [question.instructions, question.yes, question.no].every(isWords) &&
    isListOf(question.options, isOption) &&
    isListOf(question.levels, (level) => isObject(level) && isWords(level.label)) &&
    [question.spelled, question.typeSpelled].every(isTextOrNone) &&
    [question.members, question.meanings].every(isTextsOrNone)
  )
}

/** By hand: a schema library would be a sixth of the page's code, and nothing here comes from anybody else. */
function isForm(value: unknown): value is PlaygroundForm {
  if (!isObject(value)) return false
  const form: Unknown<PlaygroundForm> = value
  return (
    [form.model, form.keyId].every(isText) &&
    isTextOrNone(form.modelSpelled) &&
    isWords(form.state) &&
    isListOf(form.questions, isQuestion) &&
    isTextsOrNone(form.members)
  )
}

/** The draft in a text that this browser kept, or null where it is of another version. */
export function parseDraft(text: string): Draft | null {
  const value: unknown = JSON.parse(text)
  if (!isObject(value) || !isForm(value.form)) return null
  const { form, json } = value
  return json === null || isText(json) ? { form, json } : null
}

/** The draft that this browser keeps for an account, or null. */
export function readDraft(accountId: string): Draft | null {
  try {
    return parseDraft(localStorage.getItem(nameOf(accountId)) ?? "null")
  } catch {
    return null
  }
}

/** Keeps a draft; false when the browser has no room for it. */
export function writeDraft(accountId: string, draft: Draft): boolean {
  try {
    localStorage.setItem(nameOf(accountId), JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}
