import type { Metadata } from "next"
import { BackLink, PageHeader } from "@/components/ui/page-header"
import { accountName } from "@/lib/server/accounts/account-name"
import { requireSession } from "@/lib/server/auth/session"
import { monthOf, parseMonth } from "@/lib/server/billing/months"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { formatMonth } from "@/lib/shared/format"
import { PrintButton } from "./_components/print-button"
import { MonthStatement } from "./_components/statement"

export const metadata: Metadata = { title: "Statement" }

/** Shows the statement of a month, to read or print. An invalid month shows the current one. */
export default async function StatementPage({ searchParams }: PageProps<"/billing/statement">) {
  const query = await searchParams
  const month = parseMonth(query.month) ?? monthOf(new Date())
  const actor = await requireSession("/billing/statement", `/billing/statement?month=${month}`, query.account)
  return (
    <>
      <PageHeader
        back={<BackLink href="/billing">Billing</BackLink>}
        title={`Statement, ${formatMonth(month)}`}
        action={<PrintButton />}
      >
        {await accountName(runtime(), actor.accountId)}, account{" "}
        <span className="whitespace-nowrap font-mono text-xs">{publicId("acc", actor.accountId)}</span>
      </PageHeader>
      <MonthStatement actor={actor} month={month} />
    </>
  )
}
