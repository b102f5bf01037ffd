const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gy
const SPACE = /[ \t\r\n]+/y

/** The tokens of a JSON text that follows the grammar, as they stand. */
function* tokens(source: string): Generator<string> {
  for (let at = 0; at < source.length; ) {
    SPACE.lastIndex = at
    if (SPACE.test(source)) at = SPACE.lastIndex
    TOKEN.lastIndex = at
    const found = TOKEN.exec(source)
    if (!found) return
    at = TOKEN.lastIndex
    yield found[0]
  }
}

/**
 * A JSON text that follows the grammar with a member or item a line, `indent` in front of every line but the first. Only
 * white space changes: numbers, escapes, order and repeated names stay as they are.
 */
export function formatJson(source: string, indent = ""): string {
  let text = ""
  let depth = 0
  let opened = false
  const line = () => `\n${indent}${"  ".repeat(depth)}`
  for (const token of tokens(source)) {
    const closes = token === "}" || token === "]"
    if (closes) depth--
    if (opened !== closes && (opened || closes)) text += line()
    opened = token === "{" || token === "["
    if (opened) depth++
    text += token
    if (token === ",") text += line()
    if (token === ":") text += " "
  }
  return text
}
