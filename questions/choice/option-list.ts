export interface ListedOption {
  name: string
  description: string
}

const BULLET = /^\s*(?:[-*•·]|\d+[.)])\s+/
/** Separates a name from its description: a tab, a colon or dash with a space after it, or a hyphen between spaces. */
const SEPARATOR = /\t+|\s*[:–—]\s+|\s+-\s+/

/**
 * Reads options from a pasted list, one per line, without bullets and numbers. A single line is split at its commas or
 * semicolons. Repeated names are dropped.
 */
export function parseOptionList(text: string): ListedOption[] {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== "")
  const [only] = lines
  const parts = lines.length === 1 && only && !SEPARATOR.test(only) ? only.split(/[,;]/) : lines
  const options = new Map<string, ListedOption>()
  for (const part of parts) {
    const line = part.replace(BULLET, "").trim()
    const separator = SEPARATOR.exec(line)
    const name = (separator ? line.slice(0, separator.index) : line).trim()
    if (name === "" || options.has(name)) continue
    const description = separator ? line.slice(separator.index + separator[0].length).trim() : ""
    options.set(name, { name, description })
  }
  return [...options.values()]
}
