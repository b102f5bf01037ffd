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

/** How far a number may be outside of 0 to 1. It is then clamped. */
const OUTSIDE = 1e-9
/** How far rounding to two decimals moves one probability. */
const ROUNDING = 0.005
/** How far rounding moves the mean level, per level. */
const MEAN_ROUNDING = 0.01
/** Sums of doubles are not exact. */
const EXACT = 1e-9

export type Members = Record<string, unknown>

export const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Why an engine's response was rejected: the cause of an `upstream_error`. The text never contains a part of the response. */
export class BadResponse extends Error {
  /** Log lines keep an error's code, but not its message. */
  readonly code: string

  constructor(reason: string) {
    super(reason)
    this.name = "BadResponse"
    this.code = reason
  }
}

/** Rejects an engine's response that cannot be used. The reason is for the operator, such as "the probabilities sum to 0". */
export function badResponse(reason?: string): never {
  throw new ServiceError("upstream_error", reason === undefined ? {} : { cause: new BadResponse(reason) })
}

/** How an engine's numbers are read. */
export interface EngineNumbers {
  /** Whether the probabilities of an answer sum to 1. Otherwise they sum to the answer's label mass. */
  isNormalised: boolean
  /** The probability of all labels of this answer together. Null when the engine does not report it. */
  labelMass: number | null
  /** Called for a probability that was clamped to 0 or 1. */
  clamped(): void
}

export const NORMALISED: EngineNumbers = { isNormalised: true, labelMass: null, clamped: () => {} }

const sumOf = (values: number[]): number => values.reduce((sum, value) => sum + value, 0)

/** Returns whether two numbers are one probability, rounded differently. */
export const isRounded = (one: number, other: number): boolean => Math.abs(one - other) <= ROUNDING + EXACT

/** Returns one probability from an engine's response. Throws `upstream_error` when it is not one. */
export function readProbability(value: unknown, { clamped }: Pick<EngineNumbers, "clamped">): number {
  if (typeof value !== "number" || !(value >= -OUTSIDE && value <= 1 + OUTSIDE))
    badResponse("a probability is missing or outside of 0 to 1")
  if (value >= 0 && value <= 1) return value
  clamped()
  return value < 0 ? 0 : 1
}

/** Returns the values of an object that has exactly these names, in their order here. Throws `upstream_error` for any other. */
export function readExactly(value: unknown, names: string[]): unknown[] {
  const wrong = "an answer, option or level is missing or was not asked for"
  if (!isMembers(value) || Object.keys(value).length !== names.length) badResponse(wrong)
  return names.map((name) => (Object.hasOwn(value, name) ? value[name] : badResponse(wrong)))
}

/** Throws `upstream_error` unless probabilities sum to what they should, or can be scaled to sum 1 if nothing says to what. */
export function checkSum(probabilities: number[], { isNormalised, labelMass }: EngineNumbers): void {
  const sum = sumOf(probabilities)
  if (!(sum > 0)) badResponse("the probabilities sum to 0")
  const most = isNormalised ? 1 : (labelMass ?? 1)
  const off = isNormalised || labelMass !== null ? Math.abs(sum - most) : sum - most
  if (off > probabilities.length * ROUNDING + EXACT)
    badResponse(most === 1 ? "the probabilities do not sum to 1" : "the probabilities do not sum to the label mass")
}

/** Returns the probabilities of exactly these names. Throws `upstream_error` when one is missing or their sum is wrong. */
export function readProbabilities(value: unknown, names: string[], numbers: EngineNumbers): number[] {
  const probabilities = readExactly(value, names).map((one) => readProbability(one, numbers))
  checkSum(probabilities, numbers)
  return probabilities
}

/** Throws `upstream_error` when the engine names another answer than the most likely one. Not every engine names one. */
export function checkLargest(stated: unknown, names: string[], probabilities: number[]): void {
  if (stated == null) return
  const at = names.indexOf(String(stated))
  if (at === -1 || (probabilities[at] ?? 0) < Math.max(...probabilities))
    badResponse("the stated choice is not the most likely option")
}

/**
 * Throws `upstream_error` when the engine states another mean than that of the levels' probabilities, as they are or scaled to
 * sum 1. Not every engine states one.
 */
export function checkMean(stated: unknown, probabilities: number[]): void {
  if (stated == null) return
  const mean = probabilities.reduce((sum, p, level) => sum + level * p, 0)
  const off = (expected: number) => (typeof stated === "number" ? Math.abs(stated - expected) : Number.NaN)
  const most = probabilities.length * MEAN_ROUNDING + EXACT
  if (!(off(mean) <= most || off(mean / sumOf(probabilities)) <= most))
    badResponse("the stated score is not the mean of the levels")
}

/** Writes probabilities by these names, as `readProbabilities` reads them. */
export const writeProbabilities = (probabilities: number[], names: string[]): Members =>
  Object.fromEntries(probabilities.map((p, i) => [names[i] ?? "", p]))
