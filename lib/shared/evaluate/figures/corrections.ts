import type { Correction } from "../rows/evaluation-set"

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
 * Returns the stored index if its outcome has the stored name, else the index of that name. -1: the correction does not apply. Null:
 * it leaves the row out.
 */
function labelOf({ label, outcome }: Correction, names: readonly string[]): number | null {
  if (label === null || outcome === undefined) return null
  return names[label] === outcome ? label : names.indexOf(outcome)
}
