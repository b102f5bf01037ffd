/**
 * Words that the model reads, as a text or as JSON source. `spelled` is the source they were read from where the form would
 * write another, such as `null` or a string with escapes: it is written again for as long as the words are the same.
 */
export interface Words {
  kind: "text" | "json"
  text: string
  spelled?: string | undefined
}

/** The source of an object's member names in their order, where that is not the order in which the form writes them. */
type Members = string[] | undefined

/** One question as the form holds it: the fields of all three types, so that changing the type loses nothing. */
export interface QuestionForm {
  type: "noul" | "choice" | "score"
  name: string
  instructions: Words
  yes: Words
  no: Words
  options: { name: string; description: Words; spelled?: string | undefined }[]
  levels: { label: Words }[]
  /** Of the name, and of the type. */
  spelled?: string | undefined
  typeSpelled?: string | undefined
  members?: Members
  /** Of a noul question's criteria. */
  meanings?: Members
}

/** The playground's form, as typed and as kept in the browser. What is valid is for `checkRequest` to say, not for this. */
export interface PlaygroundForm {
  model: string
  modelSpelled?: string | undefined
  /** The public id of the key it spends as; empty: the account's Playground key. */
  keyId: string
  state: Words
  questions: QuestionForm[]
  members?: Members
}
