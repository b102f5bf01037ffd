import { buttonClass } from "@/components/ui/button"
import { LinkButton } from "@/components/ui/link-button"
import { Money, mostDecimals } from "@/components/ui/money"
import { downloadPath } from "@/lib/server/auth/return-path"
import { getStatement, type Statement } from "@/lib/server/billing/get-statement"
import { listMonths, monthRange } from "@/lib/server/billing/months"
import { type AccountReader, hasRight } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import type { EntryKind } from "@/lib/shared/billing/schema"
import { formatDate, formatExactTime, formatMonth } from "@/lib/shared/format"
import { ChargeSums } from "./charge-sums"
import { Parties } from "./parties"

export async function MonthStatement({ actor, month }: { actor: AccountReader; month: string }) {
  const [statement, months] = await Promise.all([
    getStatement(runtime(), actor, { month }),
    listMonths(runtime(), actor),
  ])
  // A download needs a session of the account.
  const isMember = actor.type === "user"
  const index = months.indexOf(month)
  const [newer, older] = index === -1 ? [] : [months[index - 1], months[index + 1]]
  return (
    <div className="flex flex-col gap-8 print:gap-5">
      <Parties statement={statement} mayChange={hasRight(actor, "billing.pay")} />
      <Summary statement={statement} />
      <ChargeSums statement={statement} />
      <p className="text-ink-muted text-sm">
        Issued by {statement.issuer.name}, as of {formatExactTime(new Date(statement.asOf))}. Days and months are in
        UTC. Amounts are exact.{isMember ? " The CSV file lists each entry." : null}
      </p>
      <nav aria-label="Other months" className="flex flex-wrap gap-2 print:hidden">
        {older ? <MonthLink month={older} /> : null}
        {newer ? <MonthLink month={newer} /> : null}
        {isMember ? (
          <a
            href={downloadPath(actor.accountId, `/billing/ledger.csv?month=${month}`)}
            className={buttonClass("secondary", "sm")}
          >
            Download CSV
          </a>
        ) : null}
      </nav>
    </div>
  )
}

const MonthLink = ({ month }: { month: string }) => (
  <LinkButton href={`/billing/statement?month=${month}`} variant="secondary" size="sm">
    {formatMonth(month)}
  </LinkButton>
)

const TOTALS: Record<EntryKind, string> = {
  welcome: "Welcome credit",
  topup: "Top-ups",
  credit: "Credits by the operator",
  debit: "Debits by the operator",
  refund: "Refunds",
  dispute: "Disputes",
  charge: "Decisions",
}

function Summary({ statement }: { statement: Statement }) {
  const { start, end } = monthRange(statement.month)
  const last = statement.isOver ? new Date(end.getTime() - 1) : new Date(statement.asOf)
  const totals = new Map(statement.totals.map(({ kind, amountUsd }) => [kind, amountUsd]))
  const kinds = (Object.keys(TOTALS) as EntryKind[]).filter((kind) => totals.has(kind))
  const decimals = mostDecimals([statement.openingUsd, statement.closingUsd, ...totals.values()], "exact")
  return (
    <dl className="flex max-w-md flex-col tabular-nums">
      <Total
        name={`Balance at the start of ${formatDate(start)}`}
        usd={statement.openingUsd}
        decimals={decimals}
        strong
      />
      {kinds.map((kind) => (
        <Total key={kind} name={TOTALS[kind]} usd={totals.get(kind) ?? ""} decimals={decimals} />
      ))}
      <Total
        name={`Balance ${statement.isOver ? "at the end of" : "on"} ${formatDate(last)}`}
        usd={statement.closingUsd}
        decimals={decimals}
        strong
      />
    </dl>
  )
}

interface TotalProps {
  name: string
  usd: string
  decimals: number
  strong?: boolean
}

const Total = ({ name, usd, decimals, strong = false }: TotalProps) => (
  <div className={`flex justify-between gap-4 border-line border-b py-2 print:py-0.5 ${strong ? "font-medium" : ""}`}>
    <dt className={strong ? "" : "text-ink-muted"}>{name}</dt>
    <dd>
      <Money usd={usd} as="exact" decimals={decimals} />
    </dd>
  </div>
)
