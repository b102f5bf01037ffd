import { seededRandom } from "@/lib/shared/statistics/random"
import type { Columns, DataRow, EvaluationSet } from "./evaluation-set"
import { isMissing } from "./read-label"
import { cellText } from "./read-rows"

/** Fixed, so that nobody tries draws until one passes. */
export const GROUP_SEED = 2

/** Returns what reads a row's value in the column that belongs together. Null: the row has none, or there is no such column. */
export function groupReader(set: Columns & Pick<EvaluationSet, "mapping">): (row: DataRow) => string | null {
  const at = set.mapping.group === undefined ? -1 : set.columns.indexOf(set.mapping.group)
  return (row) => {
    const text = at < 0 ? "" : cellText(set, row, at).trim()
    return isMissing(text) ? null : text
  }
}

/**
 * Groups rows that are not independent: rows with equal states, and rows with the same value in the column that belongs together.
 * A null value belongs to no other row. Returns each row's group, numbered in the order of their first rows.
 */
export function groupRows(states: readonly string[], values: readonly (string | null)[]): Uint32Array {
  const parent = Uint32Array.from(states.keys())
  const root = (row: number): number => {
    let at = row
    while (parent[at] !== at) {
      parent[at] = parent[parent[at] ?? at] ?? at
      at = parent[at] ?? at
    }
    return at
  }
  const join = (first: Map<string, number>, key: string | null | undefined, row: number) => {
    const other = key === null || key === undefined ? undefined : first.get(key)
    if (other !== undefined) parent[root(row)] = root(other)
    else if (typeof key === "string") first.set(key, row)
  }
  const [byState, byValue] = [new Map<string, number>(), new Map<string, number>()]
  for (const [row, state] of states.entries()) {
    join(byState, state, row)
    join(byValue, values[row], row)
  }
  const numbers = new Map<number, number>()
  return Uint32Array.from(states, (_, row) => {
    const number = numbers.get(root(row)) ?? numbers.size
    numbers.set(root(row), number)
    return number
  })
}

/** Draws one row of each group. Each row of a group is equally likely. Returns positions, ascending. */
export function onePerGroup(groups: ArrayLike<number>, seed = GROUP_SEED): number[] {
  const members = new Map<number, number[]>()
  for (let row = 0; row < groups.length; row++) {
    const group = members.get(groups[row] ?? 0)
    if (group) group.push(row)
    else members.set(groups[row] ?? 0, [row])
  }
  const { below } = seededRandom(seed)
  const drawn = [...members.values()].map((rows) => rows[below(rows.length)] ?? 0)
  return drawn.sort((a, b) => a - b)
}
