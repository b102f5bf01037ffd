export interface ListedOption {
  name: string
  description: string
}

const BULLET = /^\s*(?:[-*•·]|\d+[.)])\s+/
/** Separates a name from its description: a tab, a colon or dash with a space after it, or a hyphen between spaces. */
const SEPARATOR = /\t+|[:–—]\s+|\s-\s+/

/**
 * Reads options from a pasted list, one per line, without bullets and numbers. A single line is split at its commas or
 * semicolons. Repeated names and those of `existing` options are dropped.
 */
export function parseOptionList(text: string, existing: readonly { name: string }[]): ListedOption[] {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== "")
  const [only] = lines
  const parts = lines.length === 1 && only && !SEPARATOR.test(only) ? only.split(/[,;]/) : lines
  const taken = new Set(existing.map(({ name }) => name))
  const options: ListedOption[] = []
  for (const part of parts) {
    const line = part.replace(BULLET, "").trim()
    const separator = SEPARATOR.exec(line)
    const name = (separator ? line.slice(0, separator.index) : line).trim()
    if (name === "" || taken.has(name)) continue
    const description = separator ? line.slice(separator.index + separator[0].length).trim() : ""
    taken.add(name)
    options.push({ name, description })
  }
  return options
}
