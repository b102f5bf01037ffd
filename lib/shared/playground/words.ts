import { formatJson } from "./format-json"
import type { Words } from "./schema"

/** Above this many characters a JSON value keeps the white space it has. */
const LONGEST_FORMATTED = 1_000_000

/** Words of this text. */
export const asText = (text: string): Words => ({ kind: "text", text })

export const isBlank = ({ text }: Words): boolean => text.trim() === ""

const tidy = (source: string, indent: string): string =>
  source.length > LONGEST_FORMATTED ? source : formatJson(source, indent)

/** What a JSON string or `null` says as a text; undefined for anything else. */
function textOf(source: string): string | undefined {
  if (source === "null") return ""
  return source.startsWith('"') ? (JSON.parse(source) as string) : undefined
}

/** The words that a value of a request holds. `blank` is what its place holds when nothing was typed. */
export function readWords(source: string, blank: string | null): Words {
  const text = textOf(source)
  if (text === undefined) return { kind: "json", text: tidy(source, "") }
  const plain = text === "" ? blank : JSON.stringify(text)
  return plain === source ? asText(text) : { ...asText(text), spelled: source }
}

/** The value that words stand for, or null where nothing is to be written. JSON must have been found to be one value before. */
export function writeWords({ kind, text, spelled }: Words, blank: string | null, indent = ""): string | null {
  if (kind === "json") return text.trim() === "" ? blank : tidy(text.trim(), indent)
  if (spelled !== undefined && textOf(spelled) === text) return spelled
  return text === "" ? blank : JSON.stringify(text)
}

/** A name or model as it was spelled, for as long as it is the same. */
export const writeName = (name: string, spelled: string | undefined): string =>
  spelled !== undefined && JSON.parse(spelled) === name ? spelled : JSON.stringify(name)

/** How a name was spelled, where that is not how it would be written. */
export const spelling = (name: string, source: string): string | undefined =>
  JSON.stringify(name) === source ? undefined : source
