import { takeStored, writeStored } from "@/lib/shared/browser-storage"
import { KeyDraft } from "./schema"

const NAME = "key-draft"

/** Keeps a draft in this browser while its user confirms it by e-mail. */
export const keepKeyDraft = (draft: KeyDraft): boolean => writeStored(NAME, draft)

/** Returns the kept draft and forgets it; null when there is none. */
export const takeKeyDraft = (): KeyDraft | null => KeyDraft.nullable().catch(null).parse(takeStored(NAME))
