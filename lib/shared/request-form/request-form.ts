import { fieldsOfTypes, type QuestionFields, type QuestionTypeName } from "@/questions/question-types"
import { asText, type TextOrJson } from "./text-or-json"

/** An object's member names as JSON source, in their order. Undefined when the form writes the same order. */
type Members = string[] | undefined

/** One question as the form holds it, with the fields of every type: changing the type loses nothing. */
export type QuestionForm = {
  type: QuestionTypeName
  name: string
  instructions: TextOrJson
  /** Source of the name. */
  spelled?: string | undefined
  typeSpelled?: string | undefined
  members?: Members
} & QuestionFields

/** A decision request as typed. It may be invalid: `checkForm` decides. */
export interface RequestForm {
  model: string
  modelSpelled?: string | undefined
  /** Public id of the key that pays. Empty: the account's Playground key. */
  keyId: string
  state: TextOrJson
  questions: QuestionForm[]
  members?: Members
}

export const emptyQuestion = (type: QuestionForm["type"], name: string): QuestionForm => ({
  type,
  name,
  instructions: asText(""),
  ...fieldsOfTypes((form) => form.initial()),
})
