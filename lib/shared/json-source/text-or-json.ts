/**
 * A value that a model reads, as plain text or as JSON source. `spelled` is the JSON source it was read from, kept only when
 * the form would write it differently (`null`, escapes). It is written again as long as the text is the same.
 */
export interface TextOrJson {
  kind: "text" | "json"
  text: string
  spelled?: string | undefined
}

export function isTextOrJson(value: unknown): value is TextOrJson {
  if (typeof value !== "object" || value === null) return false
  const { kind, text, spelled } = value as { [Name in keyof TextOrJson]?: unknown }
  if (spelled !== undefined && typeof spelled !== "string") return false
  return (kind === "text" || kind === "json") && typeof text === "string"
}

export const asText = (text: string): TextOrJson => ({ kind: "text", text })

export const isBlank = ({ text }: TextOrJson): boolean => text.trim() === ""

/** Longer JSON values keep their white space. */
const MAX_FORMATTED_LENGTH = 1_000_000

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gy
const SPACE = /[ \t\r\n]+/y

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
 * Formats valid JSON with one member or item per line and `indent` before every line but the first. Only white space
 * changes: numbers, escapes, order and repeated names stay. That is why it is not `JSON.stringify`.
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

const tidy = (source: string, indent: string): string =>
  source.length > MAX_FORMATTED_LENGTH ? source : formatJson(source, indent)

/** Returns the text of a JSON string, "" for `null`, and undefined for any other JSON. */
function textOf(source: string): string | undefined {
  if (source === "null") return ""
  return source.startsWith('"') ? (JSON.parse(source) as string) : undefined
}

/** Reads a request's value from its JSON source. `blank` is the source that an empty field writes, null for none. */
export function readTextOrJson(source: string, blank: string | null): TextOrJson {
  const text = textOf(source)
  if (text === undefined) return { kind: "json", text: tidy(source, "") }
  const plain = text === "" ? blank : JSON.stringify(text)
  return plain === source ? asText(text) : { ...asText(text), spelled: source }
}

/** Returns a field's JSON source, or `blank` when it is empty. JSON must be one valid value. */
export function writeTextOrJson({ kind, text, spelled }: TextOrJson, blank: string | null, indent = ""): string | null {
  if (kind === "json") return text.trim() === "" ? blank : tidy(text.trim(), indent)
  if (spelled !== undefined && textOf(spelled) === text) return spelled
  return text === "" ? blank : JSON.stringify(text)
}

/** Returns a name's JSON source, spelled as it was read when it is still the same name. */
export const writeName = (name: string, spelled: string | undefined): string =>
  spelled !== undefined && JSON.parse(spelled) === name ? spelled : JSON.stringify(name)

/** Returns a name's source when `writeName` would spell it differently, else undefined. */
export const spelling = (name: string, source: string): string | undefined =>
  JSON.stringify(name) === source ? undefined : source
