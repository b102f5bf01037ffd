import { emptyQuestion } from "../empty-question"
import type { QuestionForm, Words } from "../schema"
import { asText } from "../words"

/** A request from everyday work that loads into the form. */
export interface Example {
  id: string
  title: string
  state: Words
  questions: QuestionForm[]
}

/** A yes/no question. */
export const noul = (name: string, instructions: string, yes: string, no: string): QuestionForm => ({
  ...emptyQuestion("noul", name),
  instructions: asText(instructions),
  yes: asText(yes),
  no: asText(no),
})

/** A question with one answer among several, each with what it covers. */
export const choice = (
  name: string,
  instructions: string,
  options: [name: string, covers: string][],
): QuestionForm => ({
  ...emptyQuestion("choice", name),
  instructions: asText(instructions),
  options: options.map(([option, covers]) => ({ name: option, description: asText(covers) })),
})

/** A question whose answer is a level, counted from 0. */
export const score = (name: string, instructions: string, levels: string[]): QuestionForm => ({
  ...emptyQuestion("score", name),
  instructions: asText(instructions),
  levels: levels.map((label) => ({ label: asText(label) })),
})

/** A state that is JSON. */
export const asJson = (value: object): Words => ({ kind: "json", text: JSON.stringify(value, null, 2) })
