import { z } from "zod"
import { takeStored, writeStored } from "@/lib/shared/browser-storage"

const NAME = "key-draft"

/** What was typed into the form for a new key, checked only for its shape. It has no secret. */
const KeyDraft = z.object({
  name: z.string(),
  limit: z.object({ amountUsd: z.string(), period: z.enum(["daily", "lifetime"]) }).nullable(),
  expiresAt: z.string().nullable(),
})
export type KeyDraft = z.output<typeof KeyDraft>

/** Keeps a draft in this browser while its user confirms it by e-mail. */
export const keepKeyDraft = (draft: KeyDraft): boolean => writeStored(NAME, draft)

/** Returns the kept draft and forgets it; null when there is none. */
export const takeKeyDraft = (): KeyDraft | null => KeyDraft.nullable().catch(null).parse(takeStored(NAME))
