import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import { EXAMPLE_REQUEST } from "@/lib/shared/decisions/example-request"
import { JsonText } from "@/lib/shared/json/text"

const { state, model, questions } = EXAMPLE_REQUEST
const text = (value: string): JsonText => new JsonText("string", new TextEncoder().encode(JSON.stringify(value)))

/** The example request as the check hands it on. */
export const EXAMPLE_CHECKED: CheckedRequest = {
  model,
  state: text(state),
  questions: [
    { type: "noul", name: "refund", instructions: text(questions.refund.instructions), criteria: null },
    {
      type: "choice",
      name: "topic",
      instructions: text(questions.topic.instructions),
      options: Object.entries(questions.topic.criteria).map(([name, description]) => ({
        name,
        description: text(description),
      })),
    },
    {
      type: "score",
      name: "anger",
      instructions: text(questions.anger.instructions),
      levels: questions.anger.criteria.map(text),
    },
  ],
}

/** What the built-in engine answers to it, to the last digit; a test asks it again. */
export const EXAMPLE_ANSWER = {
  model: "svc-lexical-baseline-1",
  answers: {
    refund: { type: "noul", noul: 0.9105289153401981 },
    topic: {
      type: "choice",
      choice: "delivery",
      confidence: 0.8212622855129998,
      probabilities: { delivery: 0.8808415236753333, billing: 0.05957923816233333, account: 0.05957923816233333 },
    },
    anger: {
      type: "score",
      score: 1.3879118465421274,
      confidence: 0.31189820230542564,
      legend: { "0": "calm", "1": "annoyed", "2": "angry" },
      probabilities: { "0": 0.035411342627127716, "1": 0.5412654682036171, "2": 0.4233231891692552 },
    },
  },
  usage: { input_tokens: 72, output_tokens: 3 },
}
