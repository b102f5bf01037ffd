import { z } from "zod"

/** The SHA-256 of a record's canonical JSON, in hex. */
export const SignRecordInput = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/, "Use 64 hex digits.") })
export type SignRecordInput = z.output<typeof SignRecordInput>

/** What the installation stated about a record, and its Ed25519 signature. */
export interface RecordSignature {
  /** Canonical JSON of `account`, `at` (ISO 8601), `person` (an e-mail address) and `sha256`. The signature is of its UTF-8 bytes. */
  statement: string
  /** base64url. */
  signature: string
  /** base64url of the key's 32 bytes. */
  publicKey: string
}
