import type { NamedBand } from "../thresholds"
import { curlExport } from "./curl"
import { pythonExport } from "./python"
import { type RequestParts, readParts } from "./read-parts"
import { typescriptExport } from "./typescript"

export interface ExportInput {
  parts: RequestParts
  /** The thresholds of its noul questions. */
  bands: NamedBand[]
  /** Where the API is, without a slash at its end. */
  baseUrl: string
}

export interface CodeExport {
  language: "curl" | "TypeScript" | "Python"
  file: string
  code: string
}

/** A request as programs that run as they are printed; the key is an environment variable. Null for an invalid request. */
export function exportCode(requestText: string, bands: NamedBand[], baseUrl: string): CodeExport[] | null {
  const parts = readParts(requestText)
  if (!parts) return null
  const asked = new Set(parts.request.questions.filter(({ type }) => type === "noul").map(({ name }) => name))
  const input = { parts, bands: bands.filter(({ name }) => asked.has(name)), baseUrl }
  return [
    { language: "curl", file: "decide.sh", code: curlExport(input) },
    { language: "TypeScript", file: "decide.ts", code: typescriptExport(input) },
    { language: "Python", file: "decide.py", code: pythonExport(input) },
  ]
}
