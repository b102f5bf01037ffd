import { Tokenizer } from "@huggingface/tokenizers"
import { type Growth, growthOf } from "./growth"
import type { TokenizerFiles } from "./tokenizer-files"

/** A billed text on its way to be counted: as it is, or the JSON source of a string. */
export interface TextSource {
  isString: boolean
  source: Uint8Array
}

export interface OpenTokenizer {
  growth: Growth
  /** The tokens of a text. No special tokens are added, and one that is written in a text is the text it is. */
  count(text: TextSource): number
}

const parse = (file: Uint8Array): unknown =>
  JSON.parse(Buffer.from(file.buffer, file.byteOffset, file.length).toString("utf8"))

const isSpecial = (token: unknown): boolean =>
  typeof token === "object" && token !== null && "special" in token && token.special === true

/** Reads a tokenizer; throws when the files are none. */
export function openTokenizer(files: TokenizerFiles): OpenTokenizer {
  const json = parse(files.tokenizer)
  const config = files.config ? parse(files.config) : {}
  if (typeof json !== "object" || json === null || typeof config !== "object" || config === null)
    throw new Error("a tokenizer is a JSON object")
  const added = "added_tokens" in json && Array.isArray(json.added_tokens) ? json.added_tokens : []
  const ordinary = { ...json, added_tokens: added.filter((token) => !isSpecial(token)) }
  const tokenizer = new Tokenizer(ordinary, config)
  const decoder = new TextDecoder()
  return {
    growth: growthOf(json, config),
    count: ({ isString, source }) => {
      const text = decoder.decode(source)
      return tokenizer.tokenize(isString ? (JSON.parse(text) as string) : text, { add_special_tokens: false }).length
    },
  }
}
