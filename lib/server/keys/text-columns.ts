import { KEY_TEXT_NAMES, KEY_TEXTS, type KeyTextName } from "@/lib/shared/keys/key-texts"

/** The columns of the texts of a key, in the order of `textValues`. */
export const TEXT_COLUMNS: readonly string[] = KEY_TEXT_NAMES.map((name) => KEY_TEXTS[name].column)

/** Returns what is stored in `TEXT_COLUMNS`. Null for an empty text. */
export const textValues = (texts: Partial<Record<KeyTextName, string | undefined>>): (string | null)[] =>
  KEY_TEXT_NAMES.map((name) => texts[name] || null)
