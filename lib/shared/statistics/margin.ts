import { RISK } from "./binomial"

/** Risks to choose at, strictest first. The check of the other half always uses `RISK`. */
const RISKS = [0.001, 0.005, 0.01]
/** A stricter choice must decide at least this share of the rows that the widest one decides. */
const WORTHWHILE = 0.8

/**
 * Chooses a threshold with a margin. The widest choice on one half has been lucky there, so it often fails the check on
 * the other half. A stricter risk gives up a few automatic rows and passes about twice as often (decision 55).
 * `widest` returns the widest choice at a risk; null when there is none.
 */
export function chooseWithMargin<Choice>(
  widest: (risk: number) => Choice | null,
  automatic: (choice: Choice) => number,
): Choice | null {
  const most = widest(RISK)
  if (most === null) return null
  for (const risk of RISKS) {
    const choice = widest(risk)
    if (choice !== null && automatic(choice) >= WORTHWHILE * automatic(most)) return choice
  }
  return most
}
