import { Unusable } from "../unusable"
import type { ChatFrame } from "./chat-frame"
import type { LabelDialect } from "./label-dialect"
import type { Label, LabelTokens } from "./prompt"

const MAX_LETTERS = 255
const ALPHABET = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
const LETTERS = [...ALPHABET, ...ALPHABET.flatMap((first) => ALPHABET.map((second) => first + second))]
const DIGITS = [..."0123456789"]

const beginsAt = (ids: number[], at: number, part: number[]): boolean => part.every((id, i) => ids[at + i] === id)

/** Returns the tokens between repetitions of `tail`, or null when the list does not begin with it. */
function gapsBetween(ids: number[], tail: number[]): number[][] | null {
  if (!beginsAt(ids, 0, tail)) return null
  const gaps: number[][] = []
  for (let at = 0; at < ids.length; ) {
    const start = at + tail.length
    let end = start
    while (end < ids.length && !beginsAt(ids, end, tail)) end++
    gaps.push(ids.slice(start, end))
    at = end
  }
  return gaps
}

/** Returns the names that are one token each directly after the chat frame, without names that share a token. */
async function singleTokens(dialect: LabelDialect, frame: ChatFrame, names: string[], signal: AbortSignal) {
  // One call for all names: the frame begins with a special token, which separates them.
  const text = names.map((name) => frame.tailText + name).join("")
  const gaps = gapsBetween(await dialect.templateIds(text, signal), frame.tail)
  if (gaps?.length !== names.length) return []
  const taken = new Set<number>()
  return names.flatMap((name, i): Label[] => {
    const [id, ...more] = gaps[i] ?? []
    if (id === undefined || more.length > 0 || taken.has(id)) return []
    taken.add(id)
    return [{ name, id }]
  })
}

/**
 * Proves with the tokenizer which labels are single tokens at the place of the answer. Levels get letters where digits are not
 * single tokens. Throws `Unusable` when there are too few labels.
 */
export async function proveLabels(dialect: LabelDialect, frame: ChatFrame, signal: AbortSignal): Promise<LabelTokens> {
  const letters = (await singleTokens(dialect, frame, LETTERS, signal)).slice(0, MAX_LETTERS)
  const digits = await singleTokens(dialect, frame, DIGITS, signal)
  if (letters.length < DIGITS.length)
    throw new Unusable(
      "The tokenizer has fewer than 10 letters that are one token after the chat template: use another model.",
    )
  return { letters, levels: digits.length === DIGITS.length ? digits : letters.slice(0, DIGITS.length) }
}
