import type { ComponentType } from "react"
import { ChoiceFields } from "./choice/fields"
import type { QuestionFieldsProps } from "./field-parts"
import { NoulFields } from "./noul/fields"
import type { QuestionTypeName } from "./question-types"
import { ScoreFields } from "./score/fields"

/** Form fields of each type. Separate from the charts: a page that draws a chart on the server would send the fields too. */
export const QUESTION_FIELDS: Record<QuestionTypeName, ComponentType<QuestionFieldsProps>> = {
  noul: NoulFields,
  choice: ChoiceFields,
  score: ScoreFields,
}
