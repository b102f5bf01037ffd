import { CEILINGS } from "./limits"

/** Adds a number to a name. A long name is cut first, because engines may refuse more characters than the API. */
export function numbered(name: string, n: number, maxLength: number = CEILINGS.optionName): string {
  const suffix = ` (${n})`
  const isLong = name.length + suffix.length > maxLength
  return (isLong ? [...name].slice(0, maxLength - suffix.length).join("") : name) + suffix
}

/** Numbers names that occur more than once. Of equal names the first keeps its own. */
export function distinctNames(names: string[], maxLength?: number): string[] {
  const taken = new Set(names)
  const seen = new Set<string>()
  return names.map((name) => {
    let own = name
    for (let n = 2; seen.has(own) || (own !== name && taken.has(own)); n++) own = numbered(name, n, maxLength)
    seen.add(own)
    return own
  })
}
