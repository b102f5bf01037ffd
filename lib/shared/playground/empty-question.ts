import type { QuestionForm } from "./schema"
import { asText } from "./words"

const emptyOption = () => ({ name: "", description: asText("") })
const emptyLevel = () => ({ label: asText("") })

/** A new question of a type, with room for what each type needs. */
export const emptyQuestion = (type: QuestionForm["type"], name: string): QuestionForm => ({
  type,
  name,
  instructions: asText(""),
  yes: asText(""),
  no: asText(""),
  options: [emptyOption(), emptyOption()],
  levels: [emptyLevel(), emptyLevel(), emptyLevel()],
})
