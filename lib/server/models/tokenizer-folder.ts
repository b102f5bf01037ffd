import { readFile } from "node:fs/promises"
import * as path from "node:path"
import type { TokenizerFiles } from "@/lib/server/engines/tokenizer/tokenizer-files"
import { BadTokenizer, TokenizerThread } from "@/lib/server/engines/tokenizer/tokenizer-thread"

/** A text on which tokenizers differ: letters, figures, marks, white space, code and other scripts. */
export const SAMPLE =
  'The customer\'s been charged 12,345.67 € twice…\n\n\tif (x >= 10) { return "naïve café" }  漢字かな Привет'

const bytesOf = async (file: string): Promise<Uint8Array> => new Uint8Array(await readFile(file))

/** The files of the tokenizer in a folder. Throws `BadTokenizer` with words for the operator. */
export async function readTokenizerFolder(folder: string): Promise<TokenizerFiles> {
  return {
    tokenizer: await bytesOf(path.join(folder, "tokenizer.json")).catch((cause) => {
      throw new BadTokenizer("there is no tokenizer.json in it", { cause })
    }),
    config: await bytesOf(path.join(folder, "tokenizer_config.json")).catch(() => null),
  }
}

/** How many tokens a tokenizer makes of `SAMPLE`. Throws `BadTokenizer` when the files are none; a large one takes seconds. */
export async function tryTokenizer(files: TokenizerFiles): Promise<number> {
  const thread = await TokenizerThread.open(files).catch((cause) => {
    throw new BadTokenizer("its tokenizer.json is not one that can be read", { cause })
  })
  try {
    const source = new TextEncoder().encode(SAMPLE)
    const [tokens = 0] = await thread.count([{ isString: false, source }], new AbortController().signal)
    return tokens
  } finally {
    await thread.close()
  }
}
