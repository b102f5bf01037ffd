/** Asks about some options, by index. Resolves to their probabilities relative to each other, in this order. */
export type AskOptions = (indexes: number[]) => Promise<number[]>

/** Splits `indexes` in order into the fewest groups of at most `max`, as even as possible. */
function evenGroups(indexes: number[], max: number): number[][] {
  const count = Math.ceil(indexes.length / max)
  return Array.from({ length: count }, (_, g) =>
    indexes.slice(Math.round((g * indexes.length) / count), Math.round(((g + 1) * indexes.length) / count)),
  )
}

/** Returns the positions of the `count` largest values, in ascending order. Of equal values the first wins. */
const largest = (values: number[], count: number): number[] =>
  values
    .map((value, i) => ({ value, i }))
    .sort((a, b) => b.value - a.value || a.i - b.i)
    .slice(0, count)
    .map(({ i }) => i)
    .sort((a, b) => a - b)

function normalised(values: number[]): number[] {
  const sum = values.reduce((total, value) => total + value, 0)
  return values.map((value) => value / sum)
}

const sumOf = (values: number[]): number => values.reduce((sum, value) => sum + value, 0)

/**
 * Returns the probabilities of more options than an engine accepts at once. The first round asks about each group
 * alone. The final round asks about the likeliest options of all groups, which gives each group its weight. The result
 * is exact when the odds of two options do not depend on the others (Luce's axiom). An option outside the final round
 * never exceeds an option of its group inside it. `max` must be at least 2.
 */
export async function askInGroups(indexes: number[], max: number, ask: AskOptions): Promise<number[]> {
  if (indexes.length <= max) return normalised(await ask(indexes))
  const groups = evenGroups(indexes, max)
  const inGroup = (await Promise.all(groups.map((group) => ask(group)))).map(normalised)
  const each = Math.max(1, Math.floor(max / groups.length))
  const finalists = inGroup.map((p) => largest(p, each))
  const inFinal = groups.flatMap((group, g) => (finalists[g] ?? []).map((i) => group[i] ?? 0))
  const final = await askInGroups(inFinal, max, ask)
  let next = 0
  const all = inGroup.flatMap((p, g) => {
    const chosen = finalists[g] ?? []
    const q = final.slice(next, next + chosen.length)
    next += chosen.length
    const weight = sumOf(q) / sumOf(chosen.map((i) => p[i] ?? 0))
    const weakest = Math.min(...q)
    return p.map((value, i) => q[chosen.indexOf(i)] ?? Math.min(weight * value, weakest))
  })
  return normalised(all)
}
