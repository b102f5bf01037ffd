import { writeFile } from "node:fs/promises"
import path from "node:path"
import type { TokenizerFiles } from "@/lib/server/engines/tokenizer/tokenizer-files"
import { tempFolder } from "./temp-folder"

interface TinyOptions {
  normalizer?: object | null
  /** Tokens added to the vocabulary. `special` ones mark the parts of a prompt. */
  added?: { content: string; special: boolean }[]
  preTokenizer?: object
  model?: object
  config?: object | null
}

/** GPT-2's alphabet of bytes: printable bytes are themselves, the others are letters from 256 on. */
export function byteAlphabet(): string[] {
  const printed = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173)
  let next = 256
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(printed(byte) ? byte : next++))
}

/** The word pattern of Qwen and Llama 3. */
const WORDS =
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"

export const BYTE_LEVEL = {
  type: "Sequence",
  pretokenizers: [
    { type: "Split", pattern: { Regex: WORDS }, behavior: "Isolated", invert: false },
    { type: "ByteLevel", add_prefix_space: false, trim_offsets: false, use_regex: false },
  ],
}

/** The merges that form, in this order: "the", "ing", " the", "charge", " charge", " charged", "twice", " twice". */
export const MERGES = ["t h", "th e", "i n", "in g", "Ġ the", "c h", "ch a", "cha r", "char g", "charg e", "Ġ charge"]
  .concat(["Ġcharge d", "t w", "i c", "tw ic", "twic e", "Ġ twice"])
  .map((merge) => merge.split(" "))

/** Returns the `tokenizer.json` of a tiny byte-level BPE with 256 bytes and seventeen merges. */
export function tinyTokenizer({ normalizer = null, added = [], preTokenizer = BYTE_LEVEL, model }: TinyOptions = {}) {
  const tokens = [...byteAlphabet(), ...MERGES.map((pair) => pair.join(""))]
  return {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: added.map(({ content, special }, i) => ({
      id: tokens.length + i,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special,
    })),
    normalizer,
    pre_tokenizer: preTokenizer,
    post_processor: null,
    decoder: { type: "ByteLevel" },
    model: {
      type: "BPE",
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: "",
      end_of_word_suffix: "",
      fuse_unk: false,
      byte_fallback: false,
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
      merges: MERGES,
      ...model,
    },
  }
}

const bytes = (value: object): Uint8Array => new TextEncoder().encode(JSON.stringify(value))

export const tinyFiles = (options: TinyOptions = {}): TokenizerFiles => ({
  tokenizer: bytes(tinyTokenizer(options)),
  config: options.config ? bytes(options.config) : null,
})

export async function tinyFolder(options: TinyOptions = {}): Promise<string> {
  const folder = tempFolder()
  const { tokenizer, config } = tinyFiles(options)
  await writeFile(path.join(folder, "tokenizer.json"), tokenizer)
  if (config) await writeFile(path.join(folder, "tokenizer_config.json"), config)
  return folder
}
