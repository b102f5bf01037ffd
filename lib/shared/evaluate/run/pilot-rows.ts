import { seededRandom } from "@/lib/shared/statistics/random"

export const PILOT_ROWS = 100

/** Fixed, so that nobody draws pilots until one looks good. */
export const PILOT_SEED = 1

const SKIPPED = 20

/**
 * Draws rows by chance, so that each stratum has its share of them to within one row. `strata` has the stratum of each row. Returns
 * positions, ascending.
 */
export function stratifiedSample(strata: readonly string[], count: number, seed = PILOT_SEED): number[] {
  const random = seededRandom(seed)
  // The generator's first numbers hardly depend on a small seed.
  for (let i = 0; i < SKIPPED; i++) random.share()
  const members = new Map<string, { at: number; draw: number }[]>()
  for (const [at, stratum] of strata.entries()) {
    const member = { at, draw: random.share() }
    const others = members.get(stratum)
    if (others) others.push(member)
    else members.set(stratum, [member])
  }
  // Each stratum is spread evenly from 0 to 1 in random order. The first of all together have the same shares.
  const spread = [...members.values()].flatMap((each) =>
    each.sort((a, b) => a.draw - b.draw).map(({ at, draw }, place) => ({ at, place: (place + draw) / each.length })),
  )
  return spread
    .sort((a, b) => a.place - b.place)
    .slice(0, count)
    .map(({ at }) => at)
    .sort((a, b) => a - b)
}
