import { describeBand, isBand, type Thresholds, thresholdsOf } from "@/lib/shared/runs/thresholds"
import { pythonExport } from "./python"
import { type ExportInput, readParts } from "./request-parts"
import { typescriptExport } from "./typescript"

export interface CodeExport {
  language: "curl" | "TypeScript" | "Python"
  file: string
  code: string
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/**
 * Writes a POSIX shell script. The body is a quoted here-document: the shell expands nothing in it, and no line of JSON can
 * end it.
 */
function curlExport({ parts, bands, floors, baseUrl }: ExportInput): string {
  const thresholds = [
    ...bands.map(({ name, model, ...band }) => `# ${name}: ${describeBand(band)} (set for ${model})\n`),
    ...floors.map(
      ({ name, confidence, model }) => `# ${name}: review below a confidence of ${confidence} (set for ${model})\n`,
    ),
  ]
  return `# Run: sh decide.sh. export SVC_API_KEY=svcd_…
${thresholds.join("")}# After a lost connection, send the request again with the same key: it is charged once.
IDEMPOTENCY_KEY=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n')
curl --silent --show-error --max-time 130 ${quoted(`${baseUrl}/v1/decisions`)} \\
  -H "Authorization: Bearer $SVC_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -H "Idempotency-Key: $IDEMPOTENCY_KEY" \\
  --data-binary @- <<'JSON'
${parts.requestText}
JSON
`
}

/** Returns a request as runnable programs, which read the key from the environment. Null for an invalid request. */
export function exportCode(requestText: string, thresholds: Thresholds, baseUrl: string): CodeExport[] | null {
  const parts = readParts(requestText)
  if (!parts) return null
  const set = thresholdsOf(parts.request.questions, thresholds)
  const bands = set.flatMap(([name, threshold]) => (isBand(threshold) ? [{ name, ...threshold }] : []))
  const floors = set.flatMap(([name, threshold]) => (isBand(threshold) ? [] : [{ name, ...threshold }]))
  const input = { parts, bands, floors, baseUrl }
  return [
    { language: "curl", file: "decide.sh", code: curlExport(input) },
    { language: "TypeScript", file: "decide.ts", code: typescriptExport(input) },
    { language: "Python", file: "decide.py", code: pythonExport(input) },
  ]
}
