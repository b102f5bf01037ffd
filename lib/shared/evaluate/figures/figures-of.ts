import type { Scale } from "@/questions/question-type"
import { binaryFigures } from "./binary-figures"
import type { ScaleFigures } from "./evaluation-figures"
import { nominalFigures } from "./nominal-figures"
import { ordinalFigures } from "./ordinal-figures"

/** How answers are evaluated. A question type names its scale only, so that the API loads no statistics. */
const FIGURES = { binary: binaryFigures, nominal: nominalFigures, ordinal: ordinalFigures } satisfies Record<
  Scale,
  unknown
>

export const figuresOf = (scale: Scale): ScaleFigures<unknown> => FIGURES[scale] as ScaleFigures<unknown>
