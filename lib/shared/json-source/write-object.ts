/** A member of an object as JSON source, its name with quotes. A member with a null value is left out. */
export type Member = [nameJson: string, json: string | null]

/** Writes an object from source text. A JavaScript object would move a name like `10` to the front and lose `__proto__`. */
export function writeObject(members: Member[], indent: string): string {
  const present = members.filter(([, json]) => json !== null)
  if (present.length === 0) return "{}"
  const lines = present.map(([name, json]) => `${indent}  ${name}: ${json}`)
  return `{\n${lines.join(",\n")}\n${indent}}`
}

/** Sorts members into the order of `remembered`, the names as they were read, and keeps their spelling. New members come last. */
export function ordered(members: Member[], remembered: readonly string[] | undefined): Member[] {
  if (!remembered) return members
  const rest = new Map(members.map(([name, json]) => [JSON.parse(name) as string, [name, json] as Member]))
  const known = remembered.flatMap((source): Member[] => {
    const name = JSON.parse(source) as string
    const member = rest.get(name)
    rest.delete(name)
    return member ? [[source, member[1]]] : []
  })
  return [...known, ...rest.values()]
}
