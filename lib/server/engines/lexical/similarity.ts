import type { Features } from "./features"

const saturated = (count: number): number => (2.2 * count) / (count + 1.2)

/**
 * Rates how rare a feature is among a question's options or levels. A feature that all of them have distinguishes
 * nothing.
 */
export function rarity(texts: Features[]): (feature: string) => number {
  const holders = new Map<string, number>()
  for (const { present } of texts)
    for (const feature of present.keys()) holders.set(feature, (holders.get(feature) ?? 0) + 1)
  return (feature) => Math.log(1 + texts.length / (holders.get(feature) ?? 1))
}

const always = (_feature: string): number => 1

/**
 * Rates how much of `query` the document mentions, 0 or more. `negation` is the value of a negated mention: 1 for a
 * topic ("it has not arrived" is still about shipping), −1 for a claim.
 */
export function similarity(query: Features, document: Features, negation: 1 | -1, idf = always): number {
  let hits = 0
  let all = 0
  for (const [feature, count] of query.present) {
    const weight = idf(feature)
    all += weight * count
    const present = document.present.get(feature) ?? 0
    const negated = document.negated.get(feature) ?? 0
    if (present) hits += weight * Math.sqrt(count) * saturated(present)
    if (negated) hits += negation * weight * Math.sqrt(count) * saturated(negated)
  }
  return all ? hits / Math.sqrt(all * (1 + 0.15 * query.present.size)) : 0
}

export function softmax(values: number[]): number[] {
  const high = Math.max(...values)
  const weights = values.map((value) => Math.exp(value - high))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map((weight) => weight / sum)
}
