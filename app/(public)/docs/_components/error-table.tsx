import { type Column, Table } from "@/components/ui/table"
import { type ErrorCode, errorTable } from "@/lib/errors"

interface ErrorRow {
  code: string
  status: number
  message: string
}

/** The console alone answers with these. */
const CONSOLE_ONLY: readonly string[] = ["signed_out", "forbidden"] satisfies ErrorCode[]

const ROWS: ErrorRow[] = Object.entries(errorTable)
  .filter(([code]) => !CONSOLE_ONLY.includes(code))
  .map(([code, { status, message }]) => ({ code, status, message }))
  .sort((a, b) => a.status - b.status)

function retry(status: number): string {
  if (status === 429) return "After Retry-After seconds"
  return status >= 500 ? "With backoff" : "No"
}

const COLUMNS: Column<ErrorRow>[] = [
  { head: "Status", cell: ({ status }) => <span className="tabular-nums">{status}</span> },
  { head: "Code", cell: ({ code }) => <code className="font-mono text-sm">{code}</code> },
  { head: "Meaning", cell: ({ message }) => message },
  { head: "Retry", cell: ({ status }) => <span className="sm:whitespace-nowrap">{retry(status)}</span> },
]

/** Every error of the API, from the table that the API itself uses. */
export function ErrorTable() {
  return <Table caption="Errors" columns={COLUMNS} rows={ROWS} rowKey={({ code }) => code} />
}
