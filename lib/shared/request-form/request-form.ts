import type { TextOrJson } from "@/lib/shared/json-source/text-or-json"
import type { QuestionForm } from "@/questions/question-form"

/** A decision request as typed. It may be invalid: `checkForm` decides. */
export interface RequestForm {
  model: string
  modelSpelled?: string | undefined
  /** Public id of the key that pays. Empty: the account's Playground key. */
  keyId: string
  state: TextOrJson
  questions: QuestionForm[]
  /** The object's member names as JSON source, in their order. Undefined when the form writes the same order. */
  members?: string[] | undefined
}
