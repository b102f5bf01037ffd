import { createHash } from "node:crypto"

/** A model's own tokenizer, as it is published: `tokenizer.json` and, where there is one, `tokenizer_config.json`. */
export interface TokenizerFiles {
  tokenizer: Uint8Array
  config: Uint8Array | null
}

/** What a pinned model's tokenizer is known by: the same for the same files alone, byte for byte. */
export function fingerprintOf({ tokenizer, config }: TokenizerFiles): string {
  const sha256 = createHash("sha256").update(`${tokenizer.length} `).update(tokenizer)
  if (config) sha256.update(config)
  return `sha256:${sha256.digest("hex")}`
}

/** True for the name of a tokenizer that this service has and runs itself. */
export const isFingerprint = (tokenizer: string | null): tokenizer is string =>
  tokenizer?.startsWith("sha256:") ?? false
