import type { TypeSample } from "../type-sample"
import type { ScoreQuestion } from "./score"

export const sample: TypeSample<ScoreQuestion> = {
  question: { type: "score", instructions: "How angry?", criteria: ["calm", "annoyed", { level: "angry" }] },
  engine: { probabilities: { 0: 0.75, 1: 0.25, 2: 0 } },
  answer: {
    type: "score",
    score: 0.25,
    confidence: 0.625,
    legend: { 0: "calm", 1: "annoyed", 2: { level: "angry" } },
    probabilities: { 0: 0.75, 1: 0.25, 2: 0 },
  },
  share: 0.625,
  promptOptions: [
    { key: "0", description: "calm" },
    { key: "1", description: "annoyed" },
    { key: "2", description: { level: "angry" } },
  ],
  labelTexts: ({ levels }) => levels.map((level, i) => (level.isEmpty() ? `Level ${i}` : level.text())),
  undecided: {
    answer: { score: 0.5, probabilities: { 0: 0.6, 1: 0.3, 2: 0.1 } },
    outcomes: ["0", "1", "2"],
    right: 1,
    wrong: 0,
  },
}
