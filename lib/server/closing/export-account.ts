import { accountName } from "@/lib/server/accounts/account-name"
import { listAccountTokens } from "@/lib/server/accounts/account-tokens"
import { getAccount } from "@/lib/server/accounts/get-account"
import { readMailSettings } from "@/lib/server/accounts/mail-settings"
import { describeAudit, listAudit } from "@/lib/server/audit/list-audit"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { getBalance } from "@/lib/server/billing/balance"
import { ledgerCsv } from "@/lib/server/billing/export-ledger"
import { listMonths } from "@/lib/server/billing/months"
import { toTopup } from "@/lib/server/billing/topup"
import { listKeys } from "@/lib/server/keys/read-keys"
import { listInvitations, listMembers } from "@/lib/server/members/list-members"
import { requireRight, type UserActor } from "@/lib/server/platform/actor"
import { csvText, streamText } from "@/lib/server/platform/csv"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { type ZipFile, zipOf } from "@/lib/server/platform/zip"
import { pico, usd12 } from "@/lib/shared/money"

const README = `This archive has what the service stores about the account.

account.json        the account, its settings, members, invitations, keys and tokens, without their secrets
payments.csv        top-ups, with refunds and disputes
ledger/YYYY-MM.csv  every change of the balance, by month in UTC
usage-by-day.csv    requests, tokens and cost by UTC day, key and model
audit.csv           who did what

Amounts are exact, in USD. Times are UTC. Requests and answers are never stored, so they are not here.
`

const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

async function* account(actor: UserActor): AsyncGenerator<string> {
  const [facts, name, balance, mail, members, invitations, keys, tokens] = await Promise.all([
    getAccount(actor),
    accountName(actor.accountId),
    getBalance(actor),
    readMailSettings(actor),
    listMembers(actor),
    listInvitations(actor),
    listKeys(actor),
    listAccountTokens(actor),
  ])
  yield asJson({ ...facts, name, ...balance, mail, members, invitations, keys, tokens })
}

async function* payments({ accountId }: UserActor): AsyncGenerator<string> {
  yield "time_utc,top_up_id,status,credit_usd,paid_usd,refunded_usd,disputed_usd,receipt\r\n"
  for (let after = NO_ID; ; ) {
    const rows = await runtime().prisma.topup.findMany({
      where: { accountId, id: { gt: after } },
      orderBy: { id: "asc" },
      take: 1_000,
    })
    const last = rows.at(-1)
    if (!last) return
    yield rows
      .map(toTopup)
      .map(({ at, id, status, creditUsd, paidUsd, refundedUsd, disputedUsd, receiptUrl }) => {
        return `${[at, id, status, creditUsd, paidUsd ?? "", refundedUsd, disputedUsd, receiptUrl ?? ""].join(",")}\r\n`
      })
      .join("")
    after = last.id
  }
}

/** Of all keys together in the sums, and before every id. */
const NO_ID = "00000000-0000-0000-0000-000000000000"

const DAYS = `
  SELECT start, key_id, model_id, decisions, tokens, cost_pico FROM usage_sum
  WHERE account_id = $1 AND unit = 'day' AND key_id <> '${NO_ID}' AND model_id <> '*'
    AND (start, key_id, model_id) > ($2, $3, $4) ORDER BY start, key_id, model_id LIMIT 1000`

interface DayRow {
  start: Date
  key_id: string
  model_id: string
  decisions: string
  tokens: string
  cost_pico: string
}

async function* usage({ accountId }: UserActor): AsyncGenerator<string> {
  yield "day_utc,key_id,model,requests,tokens,cost_usd\r\n"
  let last: [Date, string, string] = [new Date(0), NO_ID, ""]
  for (;;) {
    const { rows } = await runtime().pool.query<DayRow>(DAYS, [accountId, ...last])
    const end = rows.at(-1)
    if (!end) return
    yield rows
      .map(({ start, key_id, model_id, decisions, tokens, cost_pico }) => {
        const day = start.toISOString().slice(0, 10)
        const cost = usd12(pico(cost_pico))
        return `${day},${publicId("key", key_id)},${csvText(model_id)},${decisions},${tokens},${cost}\r\n`
      })
      .join("")
    last = [end.start, end.key_id, end.model_id]
  }
}

async function* audit(actor: UserActor): AsyncGenerator<string> {
  yield "time_utc,what,by,client_address,subject\r\n"
  for (let before: string | null = null; ; ) {
    const { lines, next } = await listAudit(actor, { before })
    yield lines
      .map((line) => {
        const texts = [describeAudit(line), line.by, line.clientAddress ?? "", line.subject ?? ""].map(csvText)
        return `${[line.at, ...texts].join(",")}\r\n`
      })
      .join("")
    if (next === null) return
    before = next
  }
}

async function* readme(): AsyncGenerator<string> {
  yield README
}

/**
 * Streams everything that the service stores about the actor's account as a ZIP archive of JSON and CSV, no faster than it is read. It
 * has no secrets. Needs `account.export`. Throws `rate_limited` while the account has two downloads open.
 */
export async function streamExport(actor: UserActor): Promise<ReadableStream<Uint8Array>> {
  requireRight(actor, "account.export")
  const months = await listMonths(actor)
  const files: ZipFile[] = [
    { name: "README.txt", pieces: readme() },
    { name: "account.json", pieces: account(actor) },
    { name: "payments.csv", pieces: payments(actor) },
    ...months.map((month) => ({ name: `ledger/${month}.csv`, pieces: ledgerCsv(actor.accountId, month) })),
    { name: "usage-by-day.csv", pieces: usage(actor) },
    { name: "audit.csv", pieces: audit(actor) },
  ]
  const stream = streamText(actor.accountId, zipOf(files))
  await recordAudit(runtime().pool, actor, { action: "account.export", subject: actor.accountId })
  return stream
}
