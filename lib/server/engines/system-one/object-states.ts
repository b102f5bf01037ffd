import type { JsonText } from "@/lib/shared/json/text"
import { neutralText } from "./neutral-texts"

/** Deeper and longer states are sent as text: engines refuse deep ones, and checking a long one would block this thread. */
const MAX_DEPTH = 8
const MAX_BYTES = 262_144
const STRING = /"(?:[^"\\]|\\.)*"/g
const NUMBER = /-?\d[\d.eE+-]*/g
/** Numbers that every parser writes as it read them. Engines turn 1.0 into 1 and refuse 1e400. */
const KEPT_NUMBER = /^(?:0|-?(?=[\d.]*[1-9])(?:0|[1-9]\d{0,9})(?:\.\d{0,3}[1-9])?)$/

function depthOf(json: string): number {
  let [depth, deepest] = [0, 0]
  for (const letter of json) {
    if (letter === "{" || letter === "[") deepest = Math.max(deepest, ++depth)
    else if (letter === "}" || letter === "]") depth--
  }
  return deepest
}

/**
 * Returns whether an engine reads a state as the same fields that the client sent. It would read `messages` and arrays
 * as a chat. Rewritten special tokens could make two names equal.
 */
export function isPlainObject(state: JsonText): boolean {
  if (state.kind !== "object" || state.source.length > MAX_BYTES || neutralText(state) !== state) return false
  const json = state.json()
  const bare = json.replace(STRING, "")
  return (
    depthOf(bare) <= MAX_DEPTH &&
    (bare.match(NUMBER) ?? []).every((number) => KEPT_NUMBER.test(number)) &&
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
