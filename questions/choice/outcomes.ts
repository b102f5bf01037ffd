import { readShares } from "../display"
import { findName, type Outcomes } from "../outcomes"

interface Choice {
  options: { name: string }[]
}

const namesOf = ({ options }: Choice): string[] => options.map(({ name }) => name)

export const choiceOutcomes: Outcomes<Choice> = {
  names: namesOf,
  indexOf: (question, label) => findName(namesOf(question), label),
  probabilities: (question, answer) => readShares(answer, namesOf(question))?.probabilities ?? null,
}
