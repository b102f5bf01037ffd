import type { ReactNode } from "react"
import { BackLink, PageHeader } from "@/components/ui/page-header"
import { statementNumber } from "@/lib/server/billing/months"
import type { AccountReader } from "@/lib/server/platform/actor"
import { formatMonth } from "@/lib/shared/format"
import { PrintButton } from "./print-button"
import { MonthStatement } from "./statement"

/** Renders the statement of a month of the actor's account, to read or print. */
export const statementView = (actor: AccountReader, month: string): ReactNode => (
  <div className="print:[zoom:0.75]">
    <PageHeader
      back={<BackLink href="/billing/statements">Statements</BackLink>}
      title={`Statement, ${formatMonth(month)}`}
      action={<PrintButton />}
    >
      Number <span className="whitespace-nowrap font-mono text-xs">{statementNumber(actor.accountId, month)}</span>
    </PageHeader>
    <MonthStatement actor={actor} month={month} />
  </div>
)
