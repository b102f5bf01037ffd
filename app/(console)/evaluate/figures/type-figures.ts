import type { QuestionTypeName } from "@/questions/question-types"
import { choiceFigures } from "./choice-figures"
import type { TypeFigures } from "./figure"
import { noulFigures } from "./noul-figures"
import { scoreFigures } from "./score-figures"

const TYPES = { noul: noulFigures, choice: choiceFigures, score: scoreFigures } satisfies Record<
  QuestionTypeName,
  unknown
>

export const figuresOfType = (type: QuestionTypeName): TypeFigures<unknown> => TYPES[type] as TypeFigures<unknown>
