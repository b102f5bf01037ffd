import { RISK } from "./binomial"

/** Risks to try, strictest first. The check on the other half of the rows always uses `RISK`. */
const RISKS = [0.001, 0.005, 0.01]
/** A stricter choice must decide at least this share of the rows that the widest one decides. */
const WORTHWHILE = 0.8

/**
 * Chooses a threshold with a margin on one half of the rows. The widest choice often fits that half by chance and fails the
 * check on the other half. A stricter risk decides fewer rows automatically, but passes the check about twice as often
 * (docs/decisions/0055). `chooseWidest` returns the widest choice at a risk; null when there is none.
 */
export function chooseWithMargin<Choice>(
  chooseWidest: (risk: number) => Choice | null,
  automatic: (choice: Choice) => number,
): Choice | null {
  const widest = chooseWidest(RISK)
  if (widest === null) return null
  for (const risk of RISKS) {
    const choice = chooseWidest(risk)
    if (choice !== null && automatic(choice) >= WORTHWHILE * automatic(widest)) return choice
  }
  return widest
}
