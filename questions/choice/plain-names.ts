import { CEILINGS } from "../limits"

const CONTROL = /\p{Cc}+/gu

/** Folds a name as strict engines do: names that differ only in case and outer white space are the same to them. */
const folded = (name: string): string => name.trim().toUpperCase().toLowerCase()

/** Adds a number to a name. A long name is cut first, because engines may refuse more characters than the API. */
function numbered(name: string, n: number): string {
  const suffix = ` (${n})`
  return [...name].slice(0, CEILINGS.optionName - suffix.length).join("") + suffix
}

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

/** Numbers names that occur more than once. Of equal names the first keeps its own. */
export function distinctNames(names: string[]): string[] {
  const taken = new Set(names)
  const seen = new Set<string>()
  return names.map((name) => {
    let own = name
    for (let n = 2; seen.has(own) || (own !== name && taken.has(own)); n++) own = numbered(name, n)
    seen.add(own)
    return own
  })
}
