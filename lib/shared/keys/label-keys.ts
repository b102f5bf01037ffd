interface NamedKey {
  id: string
  name: string
  masked: string | null
}

/** Returns the last characters of a key's secret, from its shortened form; null for a built-in key, which has no secret. */
export const keyEnding = (masked: string | null): string | null => masked?.slice(masked.lastIndexOf("…") + 1) ?? null

/** Returns a label for each key by its id. Keys with the same name get the last characters of their secret: "CI …wXyZ". */
export function labelKeys(keys: readonly NamedKey[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>()
  for (const { name } of keys) counts.set(name, (counts.get(name) ?? 0) + 1)
  return new Map(
    keys.map(({ id, name, masked }) => {
      const isShared = (counts.get(name) ?? 0) > 1
      const ending = keyEnding(masked)
      return [id, isShared ? `${name} ${ending === null ? "(built in)" : `…${ending}`}` : name]
    }),
  )
}
