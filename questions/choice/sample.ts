import type { TypeSample } from "../type-sample"
import type { ChoiceQuestion } from "./choice"

export const sample: TypeSample<ChoiceQuestion> = {
  question: { type: "choice", instructions: "Which team?", criteria: { billing: "Payments.", other: null } },
  engine: { probabilities: { billing: 0.75, other: 0.25 } },
  answer: { type: "choice", choice: "billing", confidence: 0.5, probabilities: { billing: 0.75, other: 0.25 } },
  share: 0.5,
  promptOptions: [
    { key: "billing", description: "Payments." },
    { key: "other", description: null },
  ],
  labelTexts: ({ options }) =>
    options.map(({ name, description }) =>
      description?.isEmpty() === false ? `${name}\n${description.text()}` : name,
    ),
  undecided: {
    answer: { probabilities: { billing: 0.5, shipping: 0.5 } },
    outcomes: ["billing", "shipping"],
    right: 0,
    wrong: 1,
  },
}
