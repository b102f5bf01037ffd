import { ServiceError } from "@/lib/shared/errors"
import type { JsonText } from "@/lib/shared/json/text"

/**
 * Part of an engine request: JSON written by this service, or a client's text. The text is sent unchanged or, if
 * `isQuoted`, as one JSON string.
 */
export type WirePart = string | { text: JsonText; isQuoted: boolean }

/** Writes a text as one engine accepts it. Returns null for a text that is sent as missing, such as an empty one. */
export type WriteText = (text: JsonText | null) => WirePart | null

export const joinParts = (lists: WirePart[][]): WirePart[] =>
  lists.flatMap((list, i) => (i === 0 ? list : [",", ...list]))

/** An engine's rounding may raise a probability slightly above 1. */
const ROUNDING = 1e-6

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

/** Returns the values of an object that has exactly these names, in their order here. Throws `upstream_error` for any other. */
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

/** Writes probabilities by these names, as `readProbabilities` reads them. */
export const writeProbabilities = (probabilities: number[], names: string[]): Members =>
  Object.fromEntries(probabilities.map((p, i) => [names[i] ?? "", p]))
