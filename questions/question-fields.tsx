import type { ComponentType } from "react"
import { ChoiceFields } from "./choice/fields"
import type { QuestionFieldsProps } from "./field-parts"
import { NoulFields } from "./noul/fields"
import type { QuestionTypeName } from "./question-types"
import { ScoreFields } from "./score/fields"

interface QuestionTypeFields {
  addLabel: string
  Fields: ComponentType<QuestionFieldsProps>
}

/** Form fields of every question type. The compiler requires an entry for each. */
export const QUESTION_FIELDS: Record<QuestionTypeName, QuestionTypeFields> = {
  noul: { addLabel: "Add yes/no", Fields: NoulFields },
  choice: { addLabel: "Add choice", Fields: ChoiceFields },
  score: { addLabel: "Add score", Fields: ScoreFields },
}
