import { readFile } from "node:fs/promises"
import * as path from "node:path"
import { tokenizerNameOf } from "@/lib/server/engines/system-one/counter-for"
import { findCountAt } from "@/lib/server/engines/system-one/tokenize"
import { SAMPLE } from "@/lib/server/engines/tokenizer/sample"
import { fingerprintOf, type TokenizerFiles } from "@/lib/server/engines/tokenizer/tokenizer-files"
import { BadTokenizer, TokenizerThread } from "@/lib/server/engines/tokenizer/tokenizer-thread"
import type { Row } from "@/lib/server/platform/db/row"
import type { Runtime } from "@/lib/server/platform/runtime"

const bytesOf = async (file: string): Promise<Uint8Array> => new Uint8Array(await readFile(file))

/** Reads the tokenizer files of a folder. Throws `BadTokenizer` with a message for the operator. */
export async function readTokenizerFolder(folder: string): Promise<TokenizerFiles> {
  return {
    tokenizer: await bytesOf(path.join(folder, "tokenizer.json")).catch((cause) => {
      throw new BadTokenizer("there is no tokenizer.json in it", { cause })
    }),
    config: await bytesOf(path.join(folder, "tokenizer_config.json")).catch(() => null),
  }
}

/** Counts the tokens of `SAMPLE`, which takes seconds for a large tokenizer. Throws `BadTokenizer` for invalid files. */
async function countSample(files: TokenizerFiles): Promise<number> {
  const thread = await TokenizerThread.open(files).catch((cause) => {
    throw new BadTokenizer("its tokenizer.json cannot be read", { cause })
  })
  try {
    const [tokens = 0] = await thread.count([SAMPLE], new AbortController().signal)
    return tokens
  } finally {
    await thread.close()
  }
}

/** Stores a tokenizer's files for every process and returns their fingerprint. */
export async function saveTokenizer({ pool }: Runtime, files: TokenizerFiles): Promise<string> {
  const fingerprint = fingerprintOf(files)
  await pool.query(
    "INSERT INTO tokenizer (fingerprint, tokenizer_json, config_json) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
    [fingerprint, Buffer.from(files.tokenizer), files.config && Buffer.from(files.config)],
  )
  return fingerprint
}

/** Returns the stored files of a tokenizer. Throws when they are missing or have another fingerprint. */
export async function loadTokenizer({ pool }: Runtime, fingerprint: string): Promise<TokenizerFiles> {
  const { rows } = await pool.query<Row<"Tokenizer", "tokenizer_json" | "config_json">>(
    "SELECT tokenizer_json, config_json FROM tokenizer WHERE fingerprint = $1",
    [fingerprint],
  )
  const [row] = rows
  if (!row) throw new Error("the tokenizer is not stored")
  // Copied, because the driver's buffer may be a view of a larger one, all of which would be sent to the worker.
  const files = {
    tokenizer: new Uint8Array(row.tokenizer_json),
    config: row.config_json && new Uint8Array(row.config_json),
  }
  if (fingerprintOf(files) !== fingerprint) throw new Error("the stored tokenizer has another fingerprint")
  return files
}

interface NewTokenizer {
  engineUrl: string
  apiKey: string | null
  /** A folder with the model's tokenizer; null: the engine counts tokens, or 4 bytes count as one. */
  folder: string | null
}

/**
 * Returns how the tokens of a new model are counted. With a folder it stores that tokenizer and returns its fingerprint.
 * Without one it returns the name of the engine's rule, or null while the engine is unreachable. Throws `BadTokenizer` when
 * the folder has no valid tokenizer, or another model's.
 */
export async function findTokenizer(
  runtime: Runtime,
  { engineUrl, apiKey, folder }: NewTokenizer,
): Promise<string | null> {
  const files = folder === null ? null : await readTokenizerFolder(folder)
  const ownTokens = files && (await countSample(files))
  const counted = await findCountAt(engineUrl, apiKey, SAMPLE)
  if (!files) return tokenizerNameOf(counted)
  if (counted && counted.tokens !== ownTokens)
    throw new BadTokenizer("the engine counts differently, so this is the tokenizer of another model")
  return saveTokenizer(runtime, files)
}
