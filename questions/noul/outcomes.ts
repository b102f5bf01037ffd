import { memberOf, probabilityOf } from "../display"
import { findName, type Outcomes } from "../outcomes"
import { YES_FROM } from "../probabilities"

const NO = ["no", "n", "false", "f", "0", "0.0", "off", "negative", "neg"]
const YES = ["yes", "y", "true", "t", "1", "1.0", "on", "positive", "pos"]

/** The label of yes has the index 1, so that an index is also the usual 0 or 1 of a binary label. */
export const noulOutcomes: Outcomes<unknown> = {
  names: () => ["no", "yes"],
  keys: () => ["no", "yes"],
  indexOf(_question, label) {
    if (findName(YES, label) !== null) return 1
    return findName(NO, label) === null ? null : 0
  },
  probabilities(_question, answer) {
    const yes = probabilityOf(memberOf(answer, "noul"))
    return yes === null ? null : [1 - yes, yes]
  },
  predicted: ([, yes = 0]) => Number(yes >= YES_FROM),
  exported: {
    member: "noul",
    probabilities: {
      typescript: "[1 - (answer?.noul ?? Number.NaN), answer?.noul ?? Number.NaN]",
      python: '[1 - answer["noul"], answer["noul"]]',
    },
    outcome: {
      typescript: `(probabilities[1] ?? 0) >= ${YES_FROM} ? 1 : 0`,
      python: `1 if probabilities[1] >= ${YES_FROM} else 0`,
    },
    reported: { typescript: "answer.noul ?? Number.NaN", python: 'answer["noul"]', jq: ".noul" },
  },
}
