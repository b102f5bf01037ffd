export interface PastedOption {
  name: string
  description: string
}

const BULLET = /^\s*(?:[-*•·]|\d+[.)])\s+/
/** What stands between a name and what it covers: a tab, or a colon, dash or comma with a space after it. */
const BETWEEN = /\t+|\s*[:–—]\s+|\s+-\s+/

/**
 * The options in a list that somebody pasted: one a line, bullets and numbers left out, what follows a tab, a colon or a dash
 * as the description. A single line is taken apart at its commas or semicolons. Repeated names are left out.
 */
export function pasteOptions(text: string): PastedOption[] {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== "")
  const [only] = lines
  const parts = lines.length === 1 && only && !BETWEEN.test(only) ? only.split(/[,;]/) : lines
  const options = new Map<string, PastedOption>()
  for (const part of parts) {
    const line = part.replace(BULLET, "").trim()
    const between = BETWEEN.exec(line)
    const name = (between ? line.slice(0, between.index) : line).trim()
    if (name === "" || options.has(name)) continue
    const description = between ? line.slice(between.index + between[0].length).trim() : ""
    options.set(name, { name, description })
  }
  return [...options.values()]
}
