import { ServiceError } from "@/lib/shared/errors"

/** An engine's rounding may lift a probability slightly above 1. */
const ROUNDING = 1e-6

export const clamp = (value: number, max: number): number => Math.min(max, Math.max(0, value))

/** Returns the index of the largest probability; the first one in a tie. */
export function mostLikely(probabilities: number[]): number {
  let best = 0
  probabilities.forEach((p, i) => {
    if (p > (probabilities[best] ?? 0)) best = i
  })
  return best
}

/** Scales `probabilities` to sum 1. Throws `upstream_error` unless there are `length` of them with a positive, finite sum. */
export function normalise(probabilities: number[], length: number): number[] {
  const sum = probabilities.reduce((total, p) => total + p, 0)
  if (probabilities.length !== length || !(sum > 0 && sum < Number.POSITIVE_INFINITY))
    throw new ServiceError("upstream_error")
  return probabilities.map((p) => clamp(p / sum, 1))
}

/** Writes a JSON object. A JavaScript object would move names like `10` to the front and lose `__proto__`. */
export const jsonObject = (members: [name: string, json: string][]): string =>
  `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",")}}`

export type Members = Record<string, unknown>

export const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Rejects an engine's response that cannot be used. */
export function badResponse(): never {
  throw new ServiceError("upstream_error")
}

/** Returns one probability from an engine's response. Throws `upstream_error` when it is not one. */
export function readProbability(value: unknown): number {
  if (typeof value !== "number" || !(value >= 0 && value <= 1 + ROUNDING)) badResponse()
  return value
}

/** Returns the members of an object that has exactly these names, in this order. Throws `upstream_error` for any other. */
export function readExactly(value: unknown, names: string[]): unknown[] {
  if (!isMembers(value) || Object.keys(value).length !== names.length) badResponse()
  return names.map((name) => (Object.hasOwn(value, name) ? value[name] : badResponse()))
}

/** Returns the probabilities of exactly these names. Throws `upstream_error` when one is missing or all are 0. */
export function readProbabilities(value: unknown, names: string[]): number[] {
  const probabilities = readExactly(value, names).map(readProbability)
  if (!probabilities.some((p) => p > 0)) badResponse()
  return probabilities
}
