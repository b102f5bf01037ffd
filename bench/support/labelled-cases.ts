import { readdir, readFile } from "node:fs/promises"
import path from "node:path"
import type { Engine } from "@/lib/server/engines/engine"
import { checkRequest } from "@/lib/shared/decisions/check-request"
import type { Forecast } from "./forecasts"

/** One question in the API's form, with example states by their correct label: `yes`, an option, or a level's index. */
interface LabelledQuestion {
  task: string
  type: "noul" | "choice" | "score"
  instructions: string
  criteria: unknown
  cases: Record<string, (string | object)[]>
}

export interface LabelledForecast extends Forecast {
  task: string
  instructions: string
}

function labelsOf({ type, criteria }: LabelledQuestion): string[] {
  if (type === "noul") return ["no", "yes"]
  return Object.keys(criteria as object)
}

async function forecast(engine: Engine, question: LabelledQuestion, state: string | object): Promise<number[]> {
  const { type, instructions, criteria } = question
  const body = { model: "labelled", state, questions: { asked: { type, instructions, criteria } } }
  const checked = checkRequest(Buffer.from(JSON.stringify(body)))
  if (!checked.ok) throw new Error(checked.message)
  const [answer] = await engine.answer(checked.request, new AbortController().signal)
  if (!answer) throw new Error("no answer")
  return "probabilities" in answer ? answer.probabilities : [1 - answer.yes, answer.yes]
}

/** Returns an engine's forecast for every labelled case of one folder. */
export async function forecastCases(engine: Engine, folder: string): Promise<LabelledForecast[]> {
  const forecasts: LabelledForecast[] = []
  for (const file of (await readdir(folder)).sort()) {
    const questions: LabelledQuestion[] = JSON.parse(await readFile(path.join(folder, file), "utf8"))
    for (const question of questions) {
      const labels = labelsOf(question)
      for (const [label, states] of Object.entries(question.cases)) {
        const truth = labels.indexOf(label)
        if (truth < 0) throw new Error(`${file}: ${label} is no label of "${question.instructions}".`)
        for (const state of states) {
          const probabilities = await forecast(engine, question, state)
          const { task, instructions } = question
          forecasts.push({ task, instructions, probabilities, truth })
        }
      }
    }
  }
  return forecasts
}
