import { Alert } from "@/components/ui/alert"
import { EmptyState } from "@/components/ui/empty-state"
import { PageHeader } from "@/components/ui/page-header"
import { Section } from "@/components/ui/section"
import { type Column, Table } from "@/components/ui/table"
import { Time } from "@/components/ui/time"
import { requireOperator } from "@/lib/server/auth/operator"
import { type AliasMove, listAliasMoves } from "@/lib/server/models/alias"
import { ALIAS_DAYS, type AliasAccount, listAliasAccounts } from "@/lib/server/models/alias-use"
import { listModels } from "@/lib/server/models/list-models"
import { findPlannedMove } from "@/lib/server/models/plan-move"
import { hasRight } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { findShadow } from "@/lib/server/shadows/shadow-report"
import { formatCount, formatDate } from "@/lib/shared/format"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { usd12 } from "@/lib/shared/money"
import { AccountLink } from "../_components/account-scope"
import { operatorTitle } from "../_components/operator-title"
import { ModelList } from "./_components/model-list"
import { ShadowSection } from "./_components/shadow-section"

export const generateMetadata = () => operatorTitle("Models")

const PATH = "/operator/models"

export default async function OperatedModelsPage() {
  const operator = await requireOperator(PATH)
  const [models, users, moves, planned, shadow] = await Promise.all([
    listModels(runtime(), operator),
    listAliasAccounts(runtime(), operator),
    listAliasMoves(runtime()),
    findPlannedMove(runtime()),
    findShadow(runtime(), operator, { aliasId: ALIAS }),
  ])
  return (
    <>
      <PageHeader title="Models">
        Set prices and limits, probe engines, and choose which model the alias points at. Add a model with{" "}
        <code className="font-mono text-sm">model add</code> on the command line.
      </PageHeader>
      <div className="flex flex-col gap-10">
        <ModelList
          models={models}
          aliasUsers={users.total}
          isPlanned={planned !== null}
          mayChange={hasRight(operator, "service.operate")}
        />
        {planned ? (
          <Alert title={`A move of the alias is planned for ${formatDate(new Date(planned.on))} (UTC)`}>
            To <code className="break-all font-mono text-sm">{planned.to}</code>. It moves by itself at the start of
            that day.{" "}
            {planned.isAnnounced
              ? "The mails to its accounts are queued."
              : `The mails to its accounts go out on ${formatDate(new Date(planned.announcedOn))} (UTC).`}
          </Alert>
        ) : null}
        {shadow ? <ShadowSection shadow={shadow} /> : null}
        <Section id="alias-moves" title="Moves of the alias">
          <Table caption="Moves of the alias" columns={MOVES} rows={moves} rowKey={({ at }) => at} />
        </Section>
        <AliasUsers {...users} />
      </div>
    </>
  )
}

const USERS: readonly Column<AliasAccount>[] = [
  { head: "Account", phone: "title", className: "font-medium", cell: (account) => <AccountLink account={account} /> },
  { head: "Last sent the alias", phone: "line", phoneLabel: true, cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
  { head: "Spent in 30 days, on all models", phone: "value", usd: ({ spentPico }) => usd12(spentPico) },
]

function AliasUsers({ total, accounts }: { total: number; accounts: AliasAccount[] }) {
  return (
    <Section
      id="alias-users"
      title="Accounts that a move of the alias would move"
      hint={`They sent ${ALIAS} in the last ${ALIAS_DAYS} days. Uses are recorded once an hour for each account.`}
    >
      <Table
        caption="Accounts on the alias"
        columns={USERS}
        rows={accounts}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title="No account uses the alias">
            A move would change nothing for anyone. Accounts appear here within a minute of their first request to it.
          </EmptyState>
        }
      />
      {total > accounts.length ? (
        <p className="text-ink-muted text-sm">
          The {formatCount(accounts.length)} latest of {formatCount(total)} accounts.
        </p>
      ) : null}
    </Section>
  )
}

const MOVES: readonly Column<AliasMove>[] = [
  { head: "Moved at (UTC)", phone: "end", cell: ({ at }) => <Time at={at} as="minute" /> },
  { head: "To", phone: "title", cell: ({ to }) => <span className="break-all font-mono text-sm">{to}</span> },
  {
    head: "From",
    phone: "line",
    phoneLabel: true,
    cell: ({ from }) => <span className="break-all font-mono text-sm">{from ?? "–"}</span>,
  },
]
