import { counting } from "./hints/counting"
import { double } from "./hints/double"
import { emptyWords } from "./hints/empty-words"
import type { Hint, Rule } from "./hints/hint"
import { negated } from "./hints/negated"
import { noCriteria } from "./hints/no-criteria"
import { noOther } from "./hints/no-other"
import { oneLevel } from "./hints/one-level"
import { overlapping } from "./hints/overlapping"
import type { QuestionForm } from "./schema"

const RULES: readonly Rule[] = [negated, double, counting, noOther, overlapping, oneLevel, emptyWords, noCriteria]

/** What could be worded better in a question, most telling first. */
export const hintsOf = (question: QuestionForm): Hint[] => RULES.flatMap((rule) => rule(question) ?? [])
