import { formatJson } from "@/lib/shared/json-source/text-or-json"
import { shortText } from "@/lib/shared/long-runs"

/** Returns the start of what the model read. `json` is the state's source. */
export const stateText = (json: string, maxLength = 400): string =>
  shortText(json.startsWith('"') ? (JSON.parse(json) as string) : formatJson(json), maxLength)
