import "server-only"
import { readFile } from "node:fs/promises"
import * as path from "node:path"
import type { TokenizerFiles } from "../engines/tokenizer/tokenizer-files"
import { BadTokenizer, TokenizerThread } from "../engines/tokenizer/tokenizer-thread"

const bytesOf = async (file: string): Promise<Uint8Array> => new Uint8Array(await readFile(file))

/** The tokenizer in a folder, opened once to see that it is one. Throws `BadTokenizer` with words for the operator. */
export async function readTokenizerFolder(folder: string): Promise<TokenizerFiles> {
  const files = {
    tokenizer: await bytesOf(path.join(folder, "tokenizer.json")).catch((cause) => {
      throw new BadTokenizer("there is no tokenizer.json in it", { cause })
    }),
    config: await bytesOf(path.join(folder, "tokenizer_config.json")).catch(() => null),
  }
  const thread = await TokenizerThread.open(files).catch((cause) => {
    throw new BadTokenizer("its tokenizer.json is not a tokenizer that can be read", { cause })
  })
  await thread.close()
  return files
}
