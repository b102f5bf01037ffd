import { seededRandom } from "./random"

/** Row numbers, ascending. No row is in both. */
export interface Halves {
  /** The rows on which a threshold is chosen. */
  choose: Uint32Array
  /** The rows on which the chosen threshold is checked. */
  check: Uint32Array
}

/**
 * Splits rows into two halves by chance, so that each class is split evenly. A class with an odd number of rows gives its
 * extra row to alternating halves. The same classes and seed give the same halves.
 */
export function stratifiedHalves(classes: ArrayLike<number>, seed: number): Halves {
  const random = seededRandom(seed)
  const byClass = new Map<number, number[]>()
  for (let row = 0; row < classes.length; row++) {
    const members = byClass.get(classes[row] ?? 0)
    if (members) members.push(row)
    else byClass.set(classes[row] ?? 0, [row])
  }
  const dealt = [...byClass.keys()].sort((a, b) => a - b).flatMap((name) => shuffled(byClass.get(name) ?? [], random))
  const half = (parity: number) => Uint32Array.from(dealt.filter((_, place) => place % 2 === parity)).sort()
  return { choose: half(0), check: half(1) }
}

/** Shuffles in place by the method of Fisher and Yates (Durstenfeld, 1964). */
function shuffled(rows: number[], { below }: ReturnType<typeof seededRandom>): number[] {
  for (let last = rows.length - 1; last > 0; last--) {
    const other = below(last + 1)
    const kept = rows[last] ?? 0
    rows[last] = rows[other] ?? 0
    rows[other] = kept
  }
  return rows
}
