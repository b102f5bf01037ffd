import { readShares } from "../display"
import { findName, type Outcomes } from "../outcomes"
import { mostLikely } from "../probabilities"

interface Choice {
  options: { name: string }[]
}

export const namesOf = ({ options }: Choice): string[] => options.map(({ name }) => name)

export const choiceOutcomes: Outcomes<Choice> = {
  names: namesOf,
  keys: namesOf,
  indexOf: (question, label) => findName(namesOf(question), label),
  probabilities: (question, answer) => readShares(answer, namesOf(question))?.probabilities ?? null,
  predicted: mostLikely,
  exported: {
    reported: {
      typescript: 'answer.probabilities?.[answer.choice ?? ""] ?? Number.NaN',
      python: 'answer["probabilities"][answer["choice"]]',
      jq: ".probabilities[.choice]",
    },
  },
}
