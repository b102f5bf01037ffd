import { memberOf, probabilityOf } from "../display"
import { findName, type Outcomes } from "../outcomes"

const NO = ["no", "n", "false", "f", "0", "0.0", "off", "negative", "neg"]
const YES = ["yes", "y", "true", "t", "1", "1.0", "on", "positive", "pos"]

/** The probability from which on the answer is yes. */
export const YES_FROM = 0.5

/** The label of yes has the index 1, so that an index is also the usual 0 or 1 of a binary label. */
export const noulOutcomes: Outcomes<unknown> = {
  names: () => ["no", "yes"],
  keys: () => ["no", "yes"],
  indexOf(_question, label) {
    if (findName(YES, label) !== null) return 1
    return findName(NO, label) === null ? null : 0
  },
  areNumbered: false,
  probabilities(_question, answer) {
    const yes = probabilityOf(memberOf(answer, "noul"))
    return yes === null ? null : [1 - yes, yes]
  },
  predicted: ([, yes = 0]) => Number(yes >= YES_FROM),
}
