import type { JsonText } from "@/lib/shared/json/text"
import { type ControlMarks, neutralText } from "./neutral-texts"

/** Deeper and longer states are sent as text: engines refuse deep ones, and checking a long one would block this thread. */
const MAX_DEPTH = 8
const MAX_BYTES = 262_144
const STRING = /"(?:[^"\\]|\\.)*"/g
const NUMBER = /-?\d[\d.eE+-]*/g
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/
/** A double keeps every number with at most this many digits. */
const EXACT_DIGITS = 15
/** Engines write smaller numbers with an exponent. */
const LEAST_NUMBER = 1e-4

function depthOf(json: string): number {
  let [depth, deepest] = [0, 0]
  for (const letter of json) {
    if (letter === "{" || letter === "[") deepest = Math.max(deepest, ++depth)
    else if (letter === "}" || letter === "]") depth--
  }
  return deepest
}

/**
 * Returns whether every engine reads the same value. It may write 20.0 as 20. Longer numbers would be rounded, and some engines
 * refuse 1e400.
 */
function isKept(number: string): boolean {
  if (!PLAIN_NUMBER.test(number) || number.replace(/\D/g, "").length > EXACT_DIGITS) return false
  const value = Number(number)
  return value === 0 ? !number.startsWith("-") : Math.abs(value) >= LEAST_NUMBER
}

/**
 * Returns whether an engine reads a state as the same fields that the client sent. It would read `messages` and arrays
 * as a chat. Rewritten special tokens could make two names equal. The rule is part of the pinned template.
 */
export function isPlainObject(state: JsonText, marks?: ControlMarks): boolean {
  if (state.kind !== "object" || state.source.length > MAX_BYTES || neutralText(state, marks) !== state) return false
  const json = state.json()
  const bare = json.replace(STRING, "")
  return (
    depthOf(bare) <= MAX_DEPTH &&
    (bare.match(NUMBER) ?? []).every(isKept) &&
    !Object.hasOwn(JSON.parse(json), "messages")
  )
}

const isNested = (value: unknown): value is object => typeof value === "object" && value !== null

function scalarOf(value: unknown): string {
  if (value === null) return ""
  return typeof value === "boolean" ? (value ? "True" : "False") : String(value)
}

function lines(value: unknown, indent: number): string {
  if (!isNested(value)) return scalarOf(value)
  const pad = "  ".repeat(indent)
  if (Array.isArray(value)) return value.map((item) => `${pad}- ${lines(item, indent + 1).trimStart()}`).join("\n")
  return Object.entries(value)
    .map(([key, item]) => `${pad}${key}:${isNested(item) ? `\n${lines(item, indent + 1)}` : ` ${lines(item, 0)}`}`)
    .join("\n")
}

/**
 * Renders a value as kev models read it: `key: value` lines.
 */
export const linesOf = (text: JsonText): string => lines(JSON.parse(text.json()), 0)
