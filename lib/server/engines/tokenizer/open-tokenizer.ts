import { Tokenizer } from "@huggingface/tokenizers"
import { isObject } from "@/lib/shared/json/is-object"
import type { SpecialTokens } from "./token-counter"
import type { TokenizerFiles } from "./tokenizer-files"

/** A billed text for another thread: its UTF-8 bytes, or the JSON source of a string. */
export interface TextSource {
  isString: boolean
  source: Uint8Array
}

export interface OpenTokenizer {
  growth: Growth
  /** Counts a text's tokens. Adds no special tokens. */
  count(text: TextSource, specials?: SpecialTokens): number
}

const parse = (file: Uint8Array): unknown =>
  JSON.parse(Buffer.from(file.buffer, file.byteOffset, file.length).toString("utf8"))

const isSpecial = (token: unknown): boolean =>
  typeof token === "object" && token !== null && "special" in token && token.special === true

/** Opens a tokenizer. Throws when the files are not a valid tokenizer. */
export function openTokenizer(files: TokenizerFiles): OpenTokenizer {
  const json = parse(files.tokenizer)
  const config = files.config ? parse(files.config) : {}
  if (typeof json !== "object" || json === null || typeof config !== "object" || config === null)
    throw new Error("a tokenizer is a JSON object")
  const added = "added_tokens" in json && Array.isArray(json.added_tokens) ? json.added_tokens : []
  const ordinary = { ...json, added_tokens: added.filter((token) => !isSpecial(token)) }
  const tokenizer = new Tokenizer(ordinary, config)
  const length = (text: string): number => tokenizer.tokenize(text, { add_special_tokens: false }).length
  const special = anyOf(added.filter(isSpecial))
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  return {
    growth: growthOf(json, config),
    count: ({ isString, source }, specials = "as text") => {
      const read = decoder.decode(source)
      const text = isString ? (JSON.parse(read) as string) : read
      if (specials === "as text" || !special) return length(text)
      const between = text.split(special)
      return between.reduce((sum, part) => sum + (part ? length(part) : 0), between.length - 1)
    },
  }
}

/** Returns a pattern that matches each of these tokens, the longest first. Null when there are none. */
function anyOf(tokens: unknown[]): RegExp | null {
  const texts = tokens.flatMap((token) => (isObject(token) && typeof token.content === "string" ? token.content : []))
  const longestFirst = texts.filter(Boolean).sort((a, b) => b.length - a.length)
  if (longestFirst.length === 0) return null
  return new RegExp(longestFirst.map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|"))
}

/**
 * The most tokens per UTF-8 byte of a text that is not ASCII. An ASCII text has one per byte at most. Null when neither
 * is known. Decides whether a hold can be computed from bytes alone.
 */
export type Growth = number | null

type Json = Record<string, unknown>

const objectsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])
const product = (growths: Growth[]): Growth =>
  growths.reduce<Growth>((all, own) => (all === null || own === null ? null : all * own), 1)

/** Steps that only split a text or remove parts of it. */
const CUTTING = new Set<unknown>(["Split", "Digits", "Punctuation", "Whitespace", "WhitespaceSplit"])
/** Lower case makes at most three bytes of two. */
const LOWER_CASE = 1.5
/**
 * By how much a normaliser lengthens UTF-8 at most. All of these keep the length of ASCII. Source of the forms: Unicode
 * FAQ, "Normalization".
 */
const LENGTHENING = new Map<unknown, number>([
  ["NFC", 3],
  ["NFD", 3],
  ["NFKC", 11],
  ["NFKD", 11],
  ["Lowercase", LOWER_CASE],
  ["StripAccents", 1],
  ["Strip", 1],
])

/**
 * Returns whether each byte of a text becomes one letter of the vocabulary's alphabet, so that tokens consist of bytes.
 */
function isByteLevel(preTokenizer: unknown): boolean {
  if (!isObject(preTokenizer)) return false
  if (preTokenizer.type === "ByteLevel") return preTokenizer.add_prefix_space !== true
  if (preTokenizer.type !== "Sequence") return false
  const steps = objectsOf(preTokenizer.pretokenizers)
  // A second byte-level step would write the letters of the first one as bytes again.
  const encoding = steps.filter((step) => !CUTTING.has(step.type))
  return encoding.length === 1 && encoding.every(isByteLevel)
}

function normaliserGrowth(normalizer: unknown): Growth {
  if (!isObject(normalizer)) return 1
  if (normalizer.type === "Sequence") return product(objectsOf(normalizer.normalizers).map(normaliserGrowth))
  return LENGTHENING.get(normalizer.type) ?? null
}

/** Derives the growth from a parsed `tokenizer.json` and `tokenizer_config.json`. */
export function growthOf(tokenizer: unknown, config: unknown): Growth {
  if (!isObject(tokenizer) || !isObject(tokenizer.model)) return null
  const { type, byte_fallback: fallsBack } = tokenizer.model
  if (type !== "BPE" || fallsBack === true || !isByteLevel(tokenizer.pre_tokenizer)) return null
  const lowers = isObject(config) && config.do_lowercase_and_remove_accent === true
  return product([normaliserGrowth(tokenizer.normalizer), lowers ? LOWER_CASE : 1])
}
