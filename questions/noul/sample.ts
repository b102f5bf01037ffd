import type { JsonText } from "@/lib/shared/json/text"
import type { TypeSample } from "../type-sample"
import type { NoulQuestion } from "./noul"

const described = (name: string, text: JsonText | null | undefined) =>
  text?.isEmpty() === false ? `${name}\n${text.text()}` : name

export const sample: TypeSample<NoulQuestion> = {
  question: { type: "noul", instructions: "Is it urgent?", criteria: { true: "Today.", false: null } },
  engine: { noul: 0.75 },
  answer: { type: "noul", noul: 0.75 },
  share: 0.75,
  promptOptions: [
    { key: "false", description: null },
    { key: "true", description: "Today." },
  ],
  labelTexts: ({ criteria }) => [described("Yes", criteria?.yes), described("No", criteria?.no)],
  undecided: { answer: { noul: 0.5 }, outcomes: ["no", "yes"], right: 1, wrong: 0 },
}
