import { numbered } from "../distinct-names"

const CONTROL = /\p{Cc}+/gu

/** Folds a name as strict engines do: names that differ only in case and outer white space are the same to them. */
const folded = (name: string): string => name.trim().toUpperCase().toLowerCase()

/** Returns a free name close to `name`: control characters become spaces, duplicates are numbered, a blank is "Option". */
function aliasOf(name: string, taken: Set<string>): string {
  const plain = name.replace(CONTROL, " ").trim() || "Option"
  let alias = plain
  for (let n = 2; taken.has(folded(alias)); n++) alias = numbered(plain, n)
  return alias
}

/** Replaces the option names that a strict engine would refuse. Of duplicates the first keeps its name. */
export function plainNames(names: string[]): string[] {
  const taken = new Set<string>()
  const isKept = names.map((name) => {
    const own = folded(name)
    if (own === "" || name.search(CONTROL) >= 0 || taken.has(own)) return false
    taken.add(own)
    return true
  })
  return names.map((name, i) => {
    if (isKept[i]) return name
    const alias = aliasOf(name, taken)
    taken.add(folded(alias))
    return alias
  })
}
