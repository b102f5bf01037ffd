import type { ExportInput } from "./export-code"

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/**
 * For a POSIX shell. The body is a quoted here-document: nothing in it is expanded, and no line of JSON is its end mark,
 * because a JSON string has no line break.
 */
export function curlExport({ parts, bands, baseUrl }: ExportInput): string {
  const thresholds = bands.map(
    ({ name, low, high, model }) => `# ${name}: no below ${low}, yes from ${high}, else review (set for ${model})\n`,
  )
  return `# export SVC_API_KEY=svcd_…
${thresholds.join("")}curl --silent --show-error --max-time 130 ${quoted(`${baseUrl}/v1/decisions`)} \\
  -H "Authorization: Bearer $SVC_API_KEY" \\
  -H 'Content-Type: application/json' \\
  --data-binary @- <<'JSON'
${parts.requestText}
JSON
`
}
