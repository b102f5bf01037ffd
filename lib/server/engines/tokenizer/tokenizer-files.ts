import { createHash } from "node:crypto"

/** A model's own tokenizer as published: `tokenizer.json` and, if present, `tokenizer_config.json`. */
export interface TokenizerFiles {
  tokenizer: Uint8Array
  config: Uint8Array | null
}

/** Returns the name under which models are pinned to a tokenizer: a hash of all bytes of its files. */
export function fingerprintOf({ tokenizer, config }: TokenizerFiles): string {
  const sha256 = createHash("sha256").update(`${tokenizer.length} `).update(tokenizer)
  if (config) sha256.update(config)
  return `sha256:${sha256.digest("hex")}`
}

/** Returns whether a pinned `tokenizer` is one that this service runs itself. */
export const isFingerprint = (tokenizer: string | null): tokenizer is string =>
  tokenizer?.startsWith("sha256:") ?? false
