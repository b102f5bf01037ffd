import { jsonString } from "@/lib/shared/json/text"
import { type CheckedQuestion, numbersOf } from "@/questions/question-types"
import type { Reply } from "./response"

/** How many tokens of an input an engine reads. "all": it reads the published limit, or refuses what is too long. Pinned with the id. */
export type ReadLength = number | "all"

/** The published limit of 16,384 tokens, less a question and a prompt. */
const MOST_TOKENS = 16_200
/** A model with equal answers about texts of this length answers without reading. */
const LEAST_TOKENS = 32
/** How closely a length is found: within 6 %. */
const CLOSE = 1.06
const LETTERS = [..."bcdfghjklmnpqrstvwxz"]
const DIGITS = [..."0123456789"]
/** Answers that differ by less may differ by noise alone, and are compared with the noise. */
const CLEAR = 0.01
const EQUAL = 1e-9
const NOISE_MARGIN = 4
const REPEATS = 2

/** Where the tenths of a text begin that engines leave out, in tenths: they keep its beginning, its end, or both. */
const TENTHS = [9, 4.5, 0]

export const ABOUT_LENGTH: CheckedQuestion = {
  type: "choice",
  name: "signs",
  instructions: jsonString("What does the state consist of?"),
  options: ["letters only", "digits only", "letters and digits"].map((name) => ({ name, description: null })),
}

/**
 * Returns a text of single letters, each one token for every known tokenizer. In one of its tenths, digits take the place of
 * letters. Null: in none.
 */
export function lettersWith(tenth: number | null, tokens: number): string {
  const [from, to] = tenth === null ? [0, 0] : [(tenth * tokens) / 10, ((tenth + 1) * tokens) / 10]
  let at = 1
  const signs = Array.from({ length: tokens }, (_, i) => {
    // Without a pattern, so that no tokenizer has longer tokens for it.
    at = (at * 48_271) % 2_147_483_647
    const kinds = i >= from && i < to ? DIGITS : LETTERS
    return kinds[at % kinds.length]
  })
  return signs.join(" ")
}

/** Asks `ABOUT_LENGTH` about a text. Null when the engine refuses it. Throws when the engine cannot answer now. */
export type AskAboutText = (text: string) => Promise<Reply | null>

const differenceOf = (one: Reply, other: Reply): number => {
  const [first = [], second = []] = [one, other].map(({ answers: [answer] }) => answer && numbersOf(answer))
  return Math.max(...first.map((p, i) => Math.abs(p - (second[i] ?? Number.NaN))))
}

/** Returns by how much the answers about one text differ. Null when the engine refuses it. */
async function noiseOf(ask: AskAboutText, first: Reply, tokens: number): Promise<number | null> {
  let noise = 0
  for (let i = 0; i < REPEATS; i++) {
    const again = await ask(lettersWith(null, tokens))
    if (!again) return null
    noise = Math.max(noise, differenceOf(first, again))
  }
  return noise
}

/** Returns whether an engine reads every part of a text of this length. Null when it refuses the text. */
async function isReadWhole(ask: AskAboutText, tokens: number): Promise<boolean | null> {
  const plain = await ask(lettersWith(null, tokens))
  if (!plain) return null
  for (const tenth of TENTHS) {
    const other = await ask(lettersWith(tenth, tokens))
    if (!other) return null
    const difference = differenceOf(plain, other)
    if (difference <= EQUAL) return false
    if (difference >= CLEAR) continue
    const noise = await noiseOf(ask, plain, tokens)
    if (noise === null) return null
    if (difference <= NOISE_MARGIN * noise) return false
  }
  return true
}

/**
 * Finds out whether an engine cuts long texts and answers anyway: then its answers about two texts that differ in a part that it
 * leaves out are equal. Returns how many tokens it reads at least. Null when that cannot be found out, because it refuses every
 * text, or answers the same about short ones.
 */
export async function findReadLength(ask: AskAboutText): Promise<ReadLength | null> {
  let cut = MOST_TOKENS
  let whole = await isReadWhole(ask, cut)
  // Longer texts are refused. The longest one that is not refused decides.
  while (whole === null && cut > LEAST_TOKENS) {
    cut = Math.floor(cut / 2)
    whole = await isReadWhole(ask, cut)
  }
  if (whole !== false) return whole && "all"
  let read = cut
  while (whole === false && read > LEAST_TOKENS) {
    cut = read
    read = Math.floor(read / 2)
    whole = await isReadWhole(ask, read)
  }
  if (!whole) return null
  while (cut / read > CLOSE) {
    const middle = Math.ceil((read + cut) / 2)
    if (await isReadWhole(ask, middle)) read = middle
    else cut = middle
  }
  // Of the last tenth, any part may have made the difference.
  return Math.floor(0.9 * read)
}
