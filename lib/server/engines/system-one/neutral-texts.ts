import { scan } from "@/lib/shared/json/scan"
import { JsonText } from "@/lib/shared/json/text"
import type { CheckedQuestion } from "@/questions/question-types"
import { typeOf } from "@/questions/question-types"

/** How a text with a special token may begin in JSON source, where any character may be escaped. */
const BEGINNINGS = ["<|", "\\u003c", "\\u003C", "<\\u007c", "<\\u007C"].map((text) => Buffer.from(text))
/** `<|name|>` in JSON source. Longer names are no special tokens of any known vocabulary. */
const IN_SOURCE =
  /(<|\\u003[cC])(?:\||\\u007[cC])((?:\w|\\u00(?:3\d|4[1-9a-fA-F]|5[\daAfF]|6[1-9a-fA-F]|7[\daA])){1,64})(?:\||\\u007[cC])(>|\\u003[eE])/g
const IN_TEXT = /<\|(\w{1,64})\|>/g
const ZERO_WIDTH_SPACE = "\u200b"
const BACKSLASH = 0x5c

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/** Returns how a character may be escaped in JSON source. */
function escapesOf(letter: string): string[] {
  const hex = letter.charCodeAt(0).toString(16).padStart(4, "0")
  return [`\\u${hex}`, `\\u${hex.toUpperCase()}`, ...(letter === "/" ? ["\\/"] : [])]
}

const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")

/** Returns a pattern for a character in JSON source. The hexadecimal digits of an escape may have either case. */
function inSource(letter: string): string {
  const hex = letter.charCodeAt(0).toString(16).padStart(4, "0")
  const digits = hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
  return `(?:${quoted(letter)}|\\\\u${digits}${letter === "/" ? "|\\\\\\/" : ""})`
}

/** One control token of a vocabulary, such as `</s>`. It is broken up by a zero-width space after its first character. */
class ControlMark {
  readonly #bytes: Buffer
  readonly #beginnings: Buffer[]
  readonly #pattern: RegExp

  constructor(private readonly text: string) {
    const [first = "", second = ""] = text
    const beginnings = [first + second, ...escapesOf(first), ...escapesOf(second).map((escaped) => first + escaped)]
    this.#beginnings = beginnings.map((beginning) => Buffer.from(beginning))
    this.#bytes = Buffer.from(text)
    // An escaped backslash is skipped, because what follows it is no escape.
    const [start = "", ...others] = Array.from(text, inSource)
    this.#pattern = new RegExp(`\\\\\\\\|(${start})(${others.join("")})`, "g")
  }

  /** Returns whether JSON source may have it. */
  mayBeIn(source: Buffer, hasEscapes: boolean): boolean {
    return hasEscapes ? this.#beginnings.some((beginning) => source.includes(beginning)) : source.includes(this.#bytes)
  }

  breakInSource(source: string): string {
    return source.replace(this.#pattern, (found, start?: string, rest = "") =>
      start === undefined ? found : start + ZERO_WIDTH_SPACE + rest,
    )
  }

  breakInText(text: string): string {
    return text.replaceAll(this.text, this.text.slice(0, 1) + ZERO_WIDTH_SPACE + this.text.slice(1))
  }
}

/** The control tokens that a probe found in an engine's vocabulary, besides `<|name|>`. */
export class ControlMarks {
  readonly #marks: ControlMark[]

  /** Each text has at least two characters. A longer mark is broken up before a shorter one that it contains. */
  constructor(texts: readonly string[]) {
    this.#marks = texts.toSorted((a, b) => b.length - a.length).map((text) => new ControlMark(text))
  }

  possibleIn(source: Buffer): ControlMark[] {
    if (this.#marks.length === 0) return []
    const hasEscapes = source.includes(BACKSLASH)
    return this.#marks.filter((mark) => mark.mayBeIn(source, hasEscapes))
  }

  breakInText(text: string): string {
    return this.#marks.reduce((now, mark) => mark.breakInText(now), text)
  }
}

const NO_MARKS = new ControlMarks([])

/**
 * Returns a text in which `<|name|>` is `<¦name¦>` and other control tokens are broken up. Most engines would read them as special
 * tokens, which can end the turn of a chat prompt and begin another. llama.cpp's kev and lfm2-d1-omni models write the first so.
 */
export function neutralText(text: JsonText, marks: ControlMarks = NO_MARKS): JsonText {
  const { buffer, byteOffset, length } = text.source
  const bytes = Buffer.from(buffer, byteOffset, length)
  const possible = marks.possibleIn(bytes)
  if (possible.length === 0 && !BEGINNINGS.some((beginning) => bytes.includes(beginning))) return text
  const source = decoder.decode(bytes)
  const named = source.replace(IN_SOURCE, "$1¦$2¦$3")
  const neutral = possible.reduce((now, mark) => mark.breakInSource(now), named)
  return neutral === source ? text : new JsonText(text.kind, Buffer.from(neutral))
}

/** Returns whether `neutralText` made two names of an object equal. Engines refuse such an object or drop a member. */
export const hasEqualNames = (neutral: JsonText): boolean => neutral.kind !== "string" && !scan(neutral.source).ok

export const neutralName = (name: string, marks: ControlMarks = NO_MARKS): string =>
  marks.breakInText(name.includes("<|") ? name.replace(IN_TEXT, "<¦$1¦>") : name)

/** Returns a question whose option names have no special tokens. `neutralText` rewrites only the other texts. */
export function withNeutralNames(question: CheckedQuestion, marks: ControlMarks = NO_MARKS): CheckedQuestion {
  return typeOf(question).options?.withNames(question, (name) => neutralName(name, marks)) ?? question
}
