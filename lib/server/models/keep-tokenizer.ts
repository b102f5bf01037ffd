import { fingerprintOf, type TokenizerFiles } from "@/lib/server/engines/tokenizer/tokenizer-files"
import { runtime } from "@/lib/server/platform/runtime"

/** Keeps a tokenizer's files for every process; answers the fingerprint that they are found by. */
export async function keepTokenizer(files: TokenizerFiles): Promise<string> {
  const fingerprint = fingerprintOf(files)
  await runtime().pool.query(
    "INSERT INTO tokenizer (fingerprint, tokenizer_json, config_json) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
    [fingerprint, Buffer.from(files.tokenizer), files.config && Buffer.from(files.config)],
  )
  return fingerprint
}

/** The files of a kept tokenizer. Throws when there are none, or other ones than those it was kept for. */
export async function loadTokenizer(fingerprint: string): Promise<TokenizerFiles> {
  const { rows } = await runtime().pool.query<{ tokenizer_json: Buffer; config_json: Buffer | null }>(
    "SELECT tokenizer_json, config_json FROM tokenizer WHERE fingerprint = $1",
    [fingerprint],
  )
  const [row] = rows
  if (!row) throw new Error("the tokenizer is not kept")
  // Copies: a buffer of the driver's can be part of a larger one, which would go to the worker as a whole.
  const files = {
    tokenizer: new Uint8Array(row.tokenizer_json),
    config: row.config_json && new Uint8Array(row.config_json),
  }
  if (fingerprintOf(files) !== fingerprint) throw new Error("the kept tokenizer is another one")
  return files
}
