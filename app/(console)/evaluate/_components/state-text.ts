import { formatJson } from "@/lib/shared/json-source/text-or-json"

/** Returns the start of what the model read. `json` is the state's source. */
export function stateText(json: string, maxLength = 400): string {
  const text = json.startsWith('"') ? (JSON.parse(json) as string) : formatJson(json)
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}
