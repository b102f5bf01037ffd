import { asText, type TextOrJson } from "@/lib/shared/json-source/text-or-json"
import { fieldsOfTypes, type QuestionFields, type QuestionTypeName } from "./question-types"

/** One question as the form holds it, with the fields of every type: changing the type loses nothing. */
export type QuestionForm = {
  type: QuestionTypeName
  name: string
  instructions: TextOrJson
  /** Source of the name. */
  spelled?: string | undefined
  typeSpelled?: string | undefined
  /** The object's member names as JSON source, in their order. Undefined when the form writes the same order. */
  members?: string[] | undefined
} & QuestionFields

export const emptyQuestion = (type: QuestionForm["type"], name: string): QuestionForm => ({
  type,
  name,
  instructions: asText(""),
  ...fieldsOfTypes((form) => form.initial()),
})

export type QuestionChange = (question: QuestionForm) => QuestionForm
