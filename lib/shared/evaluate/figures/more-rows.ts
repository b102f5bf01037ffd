import { formatCount } from "@/lib/shared/format"
import type { Automatable, Goal, Subject } from "./automation"

/** Each three times the one before, because the chance hardly changes between closer sizes. */
const SIZES = [300, 900, 2_700, 8_100]
const SHOWN = 3

/** How likely a run of so many rows proves a claim. */
export interface PassChance {
  rows: number
  chance: number
}

/** Returns the chances of larger runs than one of `rows` rows: a few sizes, and all `available` rows of the set. */
export function passChances(
  automatable: Automatable,
  goal: Goal,
  subject: Subject,
  { rows, available }: { rows: number; available: number },
): PassChance[] {
  const sizes = SIZES.filter((size) => size > rows).slice(0, SHOWN)
  if (available > rows && !sizes.includes(available)) sizes.push(available)
  return sizes.sort((a, b) => a - b).map((size) => ({ rows: size, chance: automatable.chance(goal, subject, size) }))
}

/** Writes a chance in tenths. A pilot is too small for more digits. */
function chanceText(chance: number): string {
  if (chance < 0.05) return "less than 1 in 10"
  if (chance >= 0.95) return "more than 9 in 10"
  return `${Math.round(chance * 10)} in 10`
}

/** "300 rows: 1 in 10; 900: 8 in 10". */
export const passChancesText = (chances: readonly PassChance[]): string =>
  chances
    .map(({ rows, chance }, at) => `${formatCount(rows)}${at === 0 ? " rows" : ""}: ${chanceText(chance)}`)
    .join("; ")
