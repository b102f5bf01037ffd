/** A text that members write about a key, and can change. */
interface KeyText {
  /** The nullable column of `api_key`: the name in snake case. */
  column: string
  label: string
  hint: string
  maxLength: number
}

/**
 * The texts of a key by their names. The forms, the key's page, `key create` and the erasure of a closed account read this table, and
 * tests write, read and erase each text.
 */
export const KEY_TEXTS = {
  note: {
    column: "note",
    label: "Note",
    hint: "For you and the other members, such as who uses it.",
    maxLength: 200,
  },
} as const satisfies Record<string, KeyText>

export type KeyTextName = keyof typeof KEY_TEXTS
/** Null where nothing was written. */
export type KeyTexts = Record<KeyTextName, string | null>

export const KEY_TEXT_NAMES = Object.keys(KEY_TEXTS) as KeyTextName[]

export const KEY_TEXT_COLUMNS: readonly string[] = KEY_TEXT_NAMES.map((name) => KEY_TEXTS[name].column)

/** Returns a record with a value for each text. */
export const mapKeyTexts = <Value>(value: (name: KeyTextName) => Value): Record<KeyTextName, Value> =>
  Object.fromEntries(KEY_TEXT_NAMES.map((name) => [name, value(name)])) as Record<KeyTextName, Value>

/** The label and the hint of each text in forms. */
export const KEY_TEXT_FIELDS = mapKeyTexts((name) => ({
  label: `${KEY_TEXTS[name].label} (optional)`,
  hint: KEY_TEXTS[name].hint,
}))
