import { tokenizerNameOf } from "@/lib/server/engines/system-one/counter-for"
import { findCountAt } from "@/lib/server/engines/system-one/tokenize"
import { BadTokenizer } from "@/lib/server/engines/tokenizer/tokenizer-thread"
import { keepTokenizer } from "./keep-tokenizer"
import { readTokenizerFolder, SAMPLE, tryTokenizer } from "./tokenizer-folder"

interface Asked {
  engineUrl: string
  apiKey: string | null
  /** A folder with the model's tokenizer; null: the engine counts, or bytes do. */
  folder: string | null
}

/**
 * How a new model's tokens are to be counted: by the tokenizer in a folder, which is kept from then on, by its engine, or
 * by bytes; null while the engine does not tell. Throws `BadTokenizer` for a folder that is not this model's.
 */
export async function findTokenizer({ engineUrl, apiKey, folder }: Asked): Promise<string | null> {
  const files = folder === null ? null : await readTokenizerFolder(folder)
  const ownTokens = files && (await tryTokenizer(files))
  const counted = await findCountAt(engineUrl, apiKey, SAMPLE)
  if (!files) return tokenizerNameOf(counted)
  if (counted && counted.tokens !== ownTokens)
    throw new BadTokenizer("the engine counts otherwise: this is the tokenizer of another model")
  return keepTokenizer(files)
}
