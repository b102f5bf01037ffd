import { type Column, Table } from "@/components/ui/table"
import { TextLink } from "@/components/ui/text-link"
import { type UsageSearch, usageHref } from "@/lib/server/usage/search"
import type { ErrorCount } from "@/lib/server/usage/usage"
import { type ErrorCode, errorTable } from "@/lib/shared/errors"
import { formatCount } from "@/lib/shared/format"

const meaningOf = (code: string): string => (code in errorTable ? errorTable[code as ErrorCode].message : "")

/** What was not answered, by code and with what it means; none of it was charged. */
export function ErrorTable({ errors, search }: { errors: ErrorCount[]; search: UsageSearch }) {
  if (errors.length === 0) return null
  const columns: readonly Column<ErrorCount>[] = [
    {
      head: "Code",
      cell: ({ code }) => (
        <TextLink alone className="font-mono text-sm" href={`${usageHref(search, { result: code })}#requests`}>
          {code}
        </TextLink>
      ),
    },
    { head: "Status", cell: ({ status }) => status },
    { head: "Meaning", cell: ({ code }) => meaningOf(code) },
    { head: "Requests", align: "right", cell: ({ requests }) => formatCount(requests) },
  ]
  return (
    <section aria-label="Errors" className="flex min-w-0 flex-col gap-2">
      <h2 className="font-semibold text-md">Errors</h2>
      <Table
        caption="Errors by code"
        columns={columns}
        rows={errors}
        rowKey={({ code, status }) => `${status} ${code}`}
      />
      <p className="text-ink-muted text-sm">
        None of these was charged. <TextLink href="/docs/errors">What to do about each code</TextLink>
      </p>
    </section>
  )
}
