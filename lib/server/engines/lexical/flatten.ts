import type { JsonText } from "@/lib/shared/json/text"

function flattenValue(value: unknown, parts: string[]): void {
  if (value === null) return
  if (Array.isArray(value)) {
    for (const item of value) flattenValue(item, parts)
  } else if (typeof value === "object") {
    for (const [key, member] of Object.entries(value)) {
      parts.push(`${key}:`)
      flattenValue(member, parts)
    }
  } else parts.push(`${value}.`)
}

/** A text of the request as plain prose: a string as it is, anything else as `key: value.` in its own order. */
export function flatten(text: JsonText): string {
  if (text.kind === "string") return text.text()
  const parts: string[] = []
  flattenValue(JSON.parse(text.json()), parts)
  return parts.join(" ")
}

/** A name as prose: `order_status` and `orderStatus` are two words. */
export const flattenName = (name: string): string => name.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").replaceAll("_", " ")
