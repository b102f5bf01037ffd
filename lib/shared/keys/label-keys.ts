interface NamedKey {
  id: string
  name: string
  masked: string | null
}

/** Returns a label for each key by its id. Keys with the same name get the last characters of their secret: "CI …wXyZ". */
export function labelKeys(keys: readonly NamedKey[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>()
  for (const { name } of keys) counts.set(name, (counts.get(name) ?? 0) + 1)
  return new Map(
    keys.map(({ id, name, masked }) => {
      const isShared = (counts.get(name) ?? 0) > 1
      const ending = masked?.slice(masked.lastIndexOf("…")) ?? "(built in)"
      return [id, isShared ? `${name} ${ending}` : name]
    }),
  )
}
