/** Asks for some of a choice's options, by index: their probabilities among themselves, in the order given. */
export type AskOptions = (indexes: number[]) => Promise<number[]>

/** `indexes` in groups of at most `most`, as even as can be, in order. */
function evenGroups(indexes: number[], most: number): number[][] {
  const count = Math.ceil(indexes.length / most)
  return Array.from({ length: count }, (_, g) =>
    indexes.slice(Math.round((g * indexes.length) / count), Math.round(((g + 1) * indexes.length) / count)),
  )
}

/** Positions of the `count` largest, of equals the first, in order. */
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
 * The probabilities of more options than an engine takes at once, in two rounds: each group by itself, then the likeliest
 * of all groups together, which tells how the groups weigh against each other. Exact when the odds of two options do not
 * depend on the others (Luce's axiom). An option outside the final never ends above one of its group inside it.
 */
export async function askInGroups(indexes: number[], most: number, ask: AskOptions): Promise<number[]> {
  if (indexes.length <= most) return normalised(await ask(indexes))
  const groups = evenGroups(indexes, most)
  const inGroup = (await Promise.all(groups.map((group) => ask(group)))).map(normalised)
  const each = Math.max(1, Math.floor(most / groups.length))
  const finalists = inGroup.map((p) => largest(p, each))
  const inFinal = groups.flatMap((group, g) => (finalists[g] ?? []).map((i) => group[i] ?? 0))
  const final = await askInGroups(inFinal, most, ask)
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
