import { countOf } from "@/lib/shared/format"
import { pico, usd12 } from "@/lib/shared/money"

/** The charges of a month that share a key, a model or a member. */
export interface ChargeSum {
  name: string
  decisions: number
  tokens: number
  /** Exact USD text, zero or below. */
  amountUsd: string
}

/** Sums of charges as the database returns them. */
export interface SumRow {
  decisions: string
  tokens: string
  cost: string
}

interface Sum {
  name: string
  decisions: bigint
  tokens: bigint
  cost: bigint
}

const add = (name: string, a: Sum | undefined, b: Omit<Sum, "name">): Sum => ({
  name,
  decisions: (a?.decisions ?? 0n) + b.decisions,
  tokens: (a?.tokens ?? 0n) + b.tokens,
  cost: (a?.cost ?? 0n) + b.cost,
})

/** Returns the name of a line that `names` share. */
export const othersLabel = (names: number | string): string => countOf(Number(names), "other")

/** Returns a sum as a line of the statement. */
export const chargeSum = (name: string, { decisions, tokens, cost }: SumRow | Sum): ChargeSum => ({
  name,
  decisions: Number(decisions),
  tokens: Number(tokens),
  amountUsd: usd12(pico(-BigInt(cost))),
})

const byCost = (a: Sum, b: Sum): number => (a.cost === b.cost ? a.name.localeCompare(b.name) : a.cost > b.cost ? -1 : 1)

/**
 * Adds rows up by name, the most expensive first. Returns at most `lines` sums: if there are more, the last one is the sum of the
 * rest, "2 others".
 */
export function sumsBy<Row extends SumRow>(
  rows: readonly Row[],
  lines: number,
  nameOf: (row: Row) => string,
): ChargeSum[] {
  const byName = new Map<string, Sum>()
  for (const row of rows) {
    const name = nameOf(row)
    const sum = { decisions: BigInt(row.decisions), tokens: BigInt(row.tokens), cost: BigInt(row.cost) }
    byName.set(name, add(name, byName.get(name), sum))
  }
  const sums = [...byName.values()].sort(byCost)
  const rest = sums.length > lines ? sums.splice(lines - 1) : []
  const [first, ...others] = rest
  const label = othersLabel(rest.length)
  if (first) sums.push(others.reduce((sum, other) => add(label, sum, other), { ...first, name: label }))
  return sums.map((sum) => chargeSum(sum.name, sum))
}
