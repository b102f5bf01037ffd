import { allowedErrors, RISK } from "./binomial"

/** Strictest first: a rule of a later risk decides more rows and passes the check less often. */
const RISKS = [0.0001, 0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5]

interface Counted {
  automatic: number
  wrong: number
}

/**
 * Chooses rules on one half of the rows, tests them in a fixed order on the other half, and returns the last one before the first
 * that fails; null when the first fails. `chooseWidest` returns the widest rule at a risk, or null, and `check` counts a rule on
 * the other half.
 *
 * Split fixed-sequence testing (Angelopoulos et al., 2021, "Learn then Test", section 4).
 */
export function splitAndTest<Rule>(
  chooseWidest: (risk: number) => Rule | null,
  check: (rule: Rule) => Counted,
  { rows, target, risk = RISK }: { rows: number; target: number; risk?: number },
): Rule | null {
  const allowed = allowedErrors(rows, target, risk)
  let passed: Rule | null = null
  for (const each of RISKS) {
    const rule = chooseWidest(each)
    if (rule === null) continue
    const { automatic, wrong } = check(rule)
    if (wrong > (allowed[automatic] ?? -1)) break
    passed = rule
  }
  return passed
}
