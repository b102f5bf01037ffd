import { createHash } from "node:crypto"

/** An engine's error. Each family renders it in its own shape. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly kind: string,
    message: string,
    readonly extra: Record<string, unknown> = {},
  ) {
    super(message)
  }
}

/** A question as a model reads it: the meaning of each option, in order; yes and no for a noul. */
export interface Asked {
  name: string
  type: "noul" | "choice" | "score"
  instructions: string
  /** Option names or level indexes. */
  names: string[]
  meanings: string[]
  legend: unknown[]
}

export interface DecisionBody {
  model: string
  answers: Record<string, Record<string, unknown>>
  usage: { input_tokens: number; output_tokens: number }
}

export interface Style {
  /** How many decimals numbers have. Null: not rounded. */
  decimals: number | null
  confidence(probabilities: number[], type: "choice" | "score"): number
}

/** Numerical noise that depends only on the shape of a call. Probabilities of two shapes differ by at most `size`. */
export interface Noise {
  size: number
  shape: string
}

const QUIET: Noise = { size: 0, shape: "" }

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

const WORD_PIECES = /\s?[^\s]{1,4}|\s/gu
const SPECIAL = /(<\|(?:im_start|im_end|endoftext|box_start|box_end|object_ref_start)\|>)/

/** Splits words into pieces of up to four characters, with the preceding space, like a byte-level tokenizer. */
export const tokensOf = (text: string): string[] => text.match(WORD_PIECES) ?? []

/** Returns the token of a mark that is read as a control token. The same mark as text is another token, or several. */
export const controlToken = (mark: string): string => `control token ${mark}`

/** Splits like `tokensOf`, but each special token of a Qwen vocabulary that is written in the text is one token, and so are `others`. */
export function tokensWithSpecial(text: string, [other, ...rest]: readonly string[] = []): string[] {
  if (other !== undefined)
    return text
      .split(other)
      .flatMap((piece, i) => [...(i === 0 ? [] : [controlToken(other)]), ...tokensWithSpecial(piece, rest)])
  return text.split(SPECIAL).flatMap((piece, i) => (i % 2 === 1 ? [piece] : tokensOf(piece)))
}

export const hashed = (text: string): number => createHash("sha256").update(text).digest().readUInt32BE(0) / 2 ** 32

/**
 * Returns the probability of each meaning. Without noise, the odds of two meanings depend only on the state and the question, not
 * on the other meanings (Luce's axiom).
 */
export function probabilitiesOf(
  state: string,
  { name, instructions, meanings }: Asked,
  { size, shape }: Noise = QUIET,
): number[] {
  const weights = meanings.map((meaning) => {
    const off = size === 0 ? 0 : size * (2 * hashed([shape, name, meaning].join("\0")) - 1)
    return Math.exp(4 * hashed([state, name, instructions, meaning].join("\0")) + off)
  })
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map((weight) => weight / sum)
}

export function askedOf(name: string, question: Record<string, unknown>): Asked {
  const { type, instructions, criteria } = question
  const base = { name, instructions: textOf(instructions ?? ""), legend: [] }
  if (type === "choice" && isObject(criteria)) {
    const names = Object.keys(criteria)
    return { ...base, type, names, meanings: names.map((option) => textOf(criteria[option] ?? option)) }
  }
  if (type === "score" && Array.isArray(criteria))
    return {
      ...base,
      type,
      names: criteria.map((_, i) => String(i)),
      meanings: criteria.map((level, i) => `${i} ${textOf(level)}`),
      legend: criteria,
    }
  return { ...base, type: "noul", names: ["yes", "no"], meanings: ["yes", "no"] }
}

export function answerOf(
  state: string,
  asked: Asked,
  { decimals, confidence }: Style,
  noise: Noise = QUIET,
): Record<string, unknown> {
  const round = (value: number) => (decimals === null ? value : Math.round(value * 10 ** decimals) / 10 ** decimals)
  const exact = probabilitiesOf(state, asked, noise)
  const p = exact.map(round)
  const { type, names, legend } = asked
  if (type === "noul") return { type, noul: p[0] }
  const byName = (values: unknown[]) => Object.fromEntries(names.map((name, i) => [name, values[i]]))
  const sure = { confidence: round(confidence(exact, type)), probabilities: byName(p) }
  if (type === "choice") return { type, choice: names[exact.indexOf(Math.max(...exact))], ...sure }
  return { type, score: round(exact.reduce((sum, value, i) => sum + i * value, 0)), legend: byName(legend), ...sure }
}

/** Returns the confidence that most engines report: how far the largest probability exceeds an even split, from 0 to 1. */
export function aboveEven(p: number[]): number {
  return p.length < 2 ? 1 : Math.max(0, (p.length * Math.max(...p) - 1) / (p.length - 1))
}

export const lackOfEntropy = (p: number[]): number =>
  1 + p.reduce((sum, value) => sum + (value > 0 ? value * Math.log(value) : 0), 0) / Math.log(p.length)
