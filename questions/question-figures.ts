import { choiceFigures } from "./choice/figures"
import type { TypeFigures } from "./evaluation-figures"
import { noulFigures } from "./noul/figures"
import type { QuestionTypeName } from "./question-types"
import { scoreFigures } from "./score/figures"

/** The evaluation of each type. Separate from `question-types.ts`, because only evaluations need statistics. */
const FIGURES = { noul: noulFigures, choice: choiceFigures, score: scoreFigures } satisfies Record<
  QuestionTypeName,
  unknown
>

export const figuresOfType = (type: QuestionTypeName): TypeFigures<unknown> => FIGURES[type] as TypeFigures<unknown>
