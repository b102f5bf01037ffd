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

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/**
 * Returns a text in which `<|name|>` is `<¦name¦>`. Most engines would read it as a special token, which can end the
 * turn of a chat prompt and begin another. llama.cpp's kev and lfm2-d1-omni models write it the same way.
 */
export function neutralText(text: JsonText): JsonText {
  const { buffer, byteOffset, length } = text.source
  const bytes = Buffer.from(buffer, byteOffset, length)
  if (!BEGINNINGS.some((beginning) => bytes.includes(beginning))) return text
  const source = decoder.decode(bytes)
  const neutral = source.replace(IN_SOURCE, "$1¦$2¦$3")
  return neutral === source ? text : new JsonText(text.kind, Buffer.from(neutral))
}

/** Returns whether `neutralText` made two names of an object equal. Engines refuse such an object or drop a member. */
export const hasEqualNames = (neutral: JsonText): boolean => neutral.kind !== "string" && !scan(neutral.source).ok

export const neutralName = (name: string): string => (name.includes("<|") ? name.replace(IN_TEXT, "<¦$1¦>") : name)

/** Returns a question whose option names have no special tokens. `neutralText` rewrites only the other texts. */
export function withNeutralNames(question: CheckedQuestion): CheckedQuestion {
  return typeOf(question).options?.withNames(question, neutralName) ?? question
}
