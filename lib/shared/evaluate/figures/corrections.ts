import { outcomesOf } from "@/questions/question-types"
import type { Correction, EvaluationSet } from "../rows/evaluation-set"
import { questionsOf } from "../rows/read-rows"
import type { EvaluationRun } from "../run/evaluation-run"

/**
 * Returns a question's corrected labels by row, as indexes of `names`, the outcomes of the run that is judged. Null leaves a row
 * out. A correction whose outcome the run does not have is ignored.
 */
export function correctedLabels(
  corrections: readonly Correction[],
  question: string,
  names: readonly string[],
): Map<number, number | null> {
  const labels = new Map<number, number | null>()
  for (const correction of corrections) {
    const label = correction.question === question ? labelOf(correction, names) : -1
    if (label !== -1) labels.set(correction.row, label)
  }
  return labels
}

/**
 * Returns the stored index if its outcome has the stored name or no name was stored, else the index of that name. -1: the
 * correction does not apply. Null: it leaves the row out.
 */
function labelOf({ label, outcome }: Correction, names: readonly string[]): number | null {
  if (label === null) return null
  if (outcome === undefined) return label < names.length ? label : -1
  return names[label] === outcome ? label : names.indexOf(outcome)
}

/**
 * Adds the outcome's name to corrections of earlier versions, which have an index only. They were made in a run of the set, so
 * the runs that asked the question name it. If these disagree or none asked, the correction keeps its index only.
 */
export function nameCorrections(set: EvaluationSet, runs: readonly EvaluationRun[]): EvaluationSet {
  if (set.corrections.every(({ label, outcome }) => label === null || outcome !== undefined)) return set
  const asked = runs.flatMap(({ form }) => questionsOf(form))
  const corrections = set.corrections.map((correction): Correction => {
    const { question, label, outcome } = correction
    if (label === null || outcome !== undefined) return correction
    const named = asked.filter(({ name }) => name === question).map((each) => outcomesOf(each).names(each)[label])
    const [name] = named
    return name !== undefined && named.every((other) => other === name) ? { ...correction, outcome: name } : correction
  })
  return { ...set, corrections }
}
