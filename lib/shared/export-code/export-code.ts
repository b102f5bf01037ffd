import { isBand, type Thresholds, thresholdsOf } from "@/lib/shared/runs/thresholds"
import { clientApiOf, type ExportApi } from "./export-apis"
import { openAiParts } from "./openai-request"
import { pythonExport } from "./python"
import { readParts } from "./request-parts"
import { shellExport } from "./shell"
import { typescriptExport } from "./typescript"

export interface CodeExport {
  language: "curl" | "TypeScript" | "Python"
  file: string
  code: string
}

/**
 * Returns a request of the contract as runnable programs, which read the key from the environment. Those of another API use its own
 * clients. Null for an invalid request.
 */
export function exportCode(
  requestText: string,
  thresholds: Thresholds,
  baseUrl: string,
  api: ExportApi = "decisions",
): CodeExport[] | null {
  const parts = readParts(requestText)
  if (!parts) return null
  const set = thresholdsOf(parts.request.questions, thresholds)
  const bands = set.flatMap(([name, threshold]) => (isBand(threshold) ? [{ name, ...threshold }] : []))
  const minimums = set.flatMap(([name, threshold]) => (isBand(threshold) ? [] : [{ name, ...threshold }]))
  const input = { api, parts: api === "openai" ? openAiParts(parts) : parts, bands, minimums, baseUrl }
  return [
    { language: "curl", file: "decide.sh", code: shellExport(input) },
    { language: "TypeScript", file: clientApiOf(api) ? "decide.mts" : "decide.ts", code: typescriptExport(input) },
    { language: "Python", file: "decide.py", code: pythonExport(input) },
  ]
}
