import type { DecisionBody } from "./decision-model"
import { type LlamaCppDouble, type LlamaCppSettings, startLlamaCpp } from "./llama-cpp"

interface Edited {
  noul?: number
  choice?: string
  score?: number
  probabilities?: Record<string, number>
}

/**
 * Starts a double whose answers with two outcomes are all near 0.9995, as those of some trained models are. They still differ by up
 * to `spread`. Answers with more outcomes are not changed.
 */
export async function startAlmostCertain(settings: Partial<LlamaCppSettings>, spread = 4e-4): Promise<LlamaCppDouble> {
  const double = await startLlamaCpp({ noise: 0, ...settings })
  const near = (p: number) => 0.9995 + spread * (p - 0.5)
  const edit = (body: DecisionBody) => {
    for (const answer of Object.values(body.answers) as Edited[]) {
      if (answer.noul !== undefined) answer.noul = near(answer.noul)
      const [first, second, ...others] = Object.keys(answer.probabilities ?? {})
      if (!answer.probabilities || first === undefined || second === undefined || others.length > 0) continue
      const p = near(answer.probabilities[first] ?? 0)
      answer.probabilities = { [first]: p, [second]: 1 - p }
      if (answer.choice !== undefined) answer.choice = first
      if (answer.score !== undefined) answer.score = 1 - p
    }
    return body
  }
  double.fault = { kind: "edited", edit }
  return double
}
