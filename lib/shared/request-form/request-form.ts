import type { QuestionTypeName } from "@/questions/question-types"

/**
 * A value that a model reads, as plain text or as JSON source. `spelled` is the JSON source it was read from, kept only when
 * the form would write it differently (`null`, escapes). It is written again as long as the text is the same.
 */
export interface TextOrJson {
  kind: "text" | "json"
  text: string
  spelled?: string | undefined
}

/** An object's member names as JSON source, in their order. Undefined when the form writes the same order. */
type Members = string[] | undefined

export interface OptionForm {
  name: string
  description: TextOrJson
  spelled?: string | undefined
}

export interface LevelForm {
  label: TextOrJson
}

/** One question as the form holds it, with the fields of every type: changing the type loses nothing. */
export interface QuestionForm {
  type: QuestionTypeName
  name: string
  instructions: TextOrJson
  yes: TextOrJson
  no: TextOrJson
  options: OptionForm[]
  levels: LevelForm[]
  /** Source of the name. */
  spelled?: string | undefined
  typeSpelled?: string | undefined
  members?: Members
  /** Members of a noul question's criteria. */
  meanings?: Members
}

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

export const asText = (text: string): TextOrJson => ({ kind: "text", text })

export const isBlank = ({ text }: TextOrJson): boolean => text.trim() === ""

export const emptyOption = (): OptionForm => ({ name: "", description: asText("") })
export const emptyLevel = (): LevelForm => ({ label: asText("") })

export const emptyQuestion = (type: QuestionForm["type"], name: string): QuestionForm => ({
  type,
  name,
  instructions: asText(""),
  yes: asText(""),
  no: asText(""),
  options: [emptyOption(), emptyOption()],
  levels: [emptyLevel(), emptyLevel(), emptyLevel()],
})
