import { Alert } from "@/components/ui/alert"
import { EmptyState } from "@/components/ui/empty-state"
import { Money } from "@/components/ui/money"
import { PageHeader } from "@/components/ui/page-header"
import { type Column, Table } from "@/components/ui/table"
import { TextLink } from "@/components/ui/text-link"
import { Time } from "@/components/ui/time"
import { requireOperator } from "@/lib/server/auth/operator"
import { type AliasMove, listAliasMoves } from "@/lib/server/models/alias"
import { findAnnouncement } from "@/lib/server/models/alias-announcement"
import { ALIAS_DAYS, type AliasAccount, listAliasAccounts } from "@/lib/server/models/alias-use"
import { listModels } from "@/lib/server/models/list-models"
import { runtime } from "@/lib/server/platform/runtime"
import { formatCount, formatDate } from "@/lib/shared/format"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { usd12 } from "@/lib/shared/money"
import { operatorTitle } from "../_components/operator-title"
import { ModelList } from "./_components/model-list"

export const generateMetadata = () => operatorTitle("Models")

const PATH = "/operator/models"

export default async function OperatedModelsPage() {
  const operator = await requireOperator(PATH)
  const [models, users, moves, announced] = await Promise.all([
    listModels(runtime(), operator),
    listAliasAccounts(runtime(), operator),
    listAliasMoves(runtime()),
    findAnnouncement(runtime()),
  ])
  return (
    <>
      <PageHeader title="Models">
        Set prices and limits, probe engines, and choose which model the alias points at. Add a model with{" "}
        <code className="font-mono text-sm">model add</code> on the command line.
      </PageHeader>
      <div className="flex flex-col gap-10">
        <ModelList models={models} aliasUsers={users.total} />
        {announced ? (
          <Alert title={`A move of the alias is announced for ${formatDate(new Date(announced.on))} (UTC)`}>
            To <code className="break-all font-mono text-sm">{announced.to}</code>. Move it on that day: nothing moves
            by itself.
          </Alert>
        ) : null}
        <AliasHistory moves={moves} />
        <AliasUsers {...users} />
      </div>
    </>
  )
}

const USERS: readonly Column<AliasAccount>[] = [
  {
    head: "Account",
    className: "font-medium",
    cell: ({ id, email }) => (
      <TextLink alone href={`/operator/accounts/${id}`} className="wrap-anywhere">
        {email ?? id}
      </TextLink>
    ),
  },
  { head: "Last sent the alias", cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
  {
    head: "Spent in 30 days, on all models",
    align: "right",
    cell: ({ spentPico }) => <Money usd={usd12(spentPico)} />,
  },
]

function AliasUsers({ total, accounts }: { total: number; accounts: AliasAccount[] }) {
  return (
    <section aria-labelledby="alias-users" className="flex flex-col gap-4">
      <div>
        <h2 id="alias-users" className="font-semibold text-md">
          Accounts that a move of the alias would move
        </h2>
        <p className="mt-1 max-w-text text-ink-muted">
          They sent {ALIAS} in the last {ALIAS_DAYS} days. Uses are recorded once an hour for each account.
        </p>
      </div>
      {accounts.length > 0 ? (
        <>
          <Table caption="Accounts on the alias" columns={USERS} rows={accounts} rowKey={({ id }) => id} />
          {total > accounts.length ? (
            <p className="text-ink-muted text-sm">
              The {formatCount(accounts.length)} latest of {formatCount(total)} accounts.
            </p>
          ) : null}
        </>
      ) : (
        <EmptyState title="No account uses the alias">
          A move would change nothing for anyone. Accounts appear here within a minute of their first request to it.
        </EmptyState>
      )}
    </section>
  )
}

const MOVES: readonly Column<AliasMove>[] = [
  { head: "Moved at (UTC)", cell: ({ at }) => <Time at={at} as="minute" /> },
  { head: "To", cell: ({ to }) => <span className="break-all font-mono text-sm">{to}</span> },
  { head: "From", cell: ({ from }) => <span className="break-all font-mono text-sm">{from ?? "–"}</span> },
]

function AliasHistory({ moves }: { moves: AliasMove[] }) {
  return (
    <section aria-labelledby="alias-moves" className="flex flex-col gap-4">
      <h2 id="alias-moves" className="font-semibold text-md">
        Moves of the alias
      </h2>
      <Table caption="Moves of the alias" columns={MOVES} rows={moves} rowKey={({ at }) => at} />
    </section>
  )
}
