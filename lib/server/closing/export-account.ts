import { describeAudit, listAudit } from "@/lib/server/audit/list-audit"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { ledgerCsv } from "@/lib/server/billing/export-ledger"
import { listMonths } from "@/lib/server/billing/months"
import { COLUMNS, type TopupRow, toTopup } from "@/lib/server/billing/topup"
import { requireConfirmed, requireRight, type UserActor } from "@/lib/server/platform/actor"
import { NIL_UUID } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { streamText } from "@/lib/server/platform/stream-text"
import { type ZipFile, zipOf } from "@/lib/server/platform/zip"
import { CSV_ESCAPES, csvText } from "@/lib/shared/csv"
import { readExportFacts } from "./export-facts"
import {
  errorsByDay,
  mails,
  outcomes,
  refusedRequests,
  requestDetails,
  usageByDay,
  usageByTag,
  webhookDeliveries,
} from "./export-rows"

const README = `This archive has what the service stores about the account.

account.json            the account, its settings, automatic top-up and saved card, webhooks, members, invitations,
                        keys and tokens, without their secrets; and you, with your sessions
payments.csv            top-ups, with refunds and disputes
ledger/YYYY-MM.csv      every change of the balance, by month in UTC
usage-by-day.csv        requests, tokens and cost by UTC day, key and model
usage-by-tag.csv        the same by tag, where a request with several tags counts for each
errors-by-day.csv       requests without an answer by UTC day, key, model and code
refused-requests.csv    the log of requests without an answer
request-details.csv     tokens by part, durations of stages and limits of the requests in the log
outcomes.csv            what really happened with answers, as reported to POST /v1/outcomes
webhook-deliveries.csv  the messages to webhooks of the last 30 days
mails.csv               the mails to members of the last 30 days, without their text
audit.csv               who did what

Amounts are exact, in USD. Times are UTC. Requests and answers are never stored, so they are not here.
In the CSV files, ${CSV_ESCAPES}.
`

async function* account(runtime: Runtime, actor: UserActor): AsyncGenerator<string> {
  yield `${JSON.stringify(await readExportFacts(runtime, actor), null, 2)}\n`
}

const PAYMENTS = `SELECT ${COLUMNS} FROM topup WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT 1000`

async function* payments({ pool }: Runtime, { accountId }: UserActor): AsyncGenerator<string> {
  yield "time_utc,top_up_id,status,credit_usd,paid_usd,refunded_usd,disputed_usd,receipt\r\n"
  for (let after = NIL_UUID; ; ) {
    const { rows } = await pool.query<TopupRow>(PAYMENTS, [accountId, after])
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

async function* audit(runtime: Runtime, actor: UserActor): AsyncGenerator<string> {
  yield "time_utc,what,by,client_address,subject\r\n"
  for (let before: string | null = null; ; ) {
    const { lines, next } = await listAudit(runtime, actor, { before })
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

/** Throws what `streamExport` would throw for lack of a right or of a recent sign-in, so that the page asks before the browser leaves it. */
export async function checkExport(_runtime: Runtime, actor: UserActor): Promise<{ allowed: true }> {
  requireRight(actor, "account.export")
  requireConfirmed(actor, "streamExport")
  return { allowed: true }
}

/**
 * Streams everything that the service stores about the actor's account as a ZIP archive of JSON and CSV, no faster than it is read. It
 * has no secrets. Needs `account.export`. Throws `confirmation_required`, and `rate_limited` while the account has two downloads open.
 */
export async function streamExport(runtime: Runtime, actor: UserActor): Promise<ReadableStream<Uint8Array>> {
  await checkExport(runtime, actor)
  const months = await listMonths(runtime, actor)
  const files: ZipFile[] = [
    { name: "README.txt", pieces: readme() },
    { name: "account.json", pieces: account(runtime, actor) },
    { name: "payments.csv", pieces: payments(runtime, actor) },
    ...months.map((month) => ({ name: `ledger/${month}.csv`, pieces: ledgerCsv(runtime, actor.accountId, month) })),
    { name: "usage-by-day.csv", pieces: usageByDay(runtime, actor.accountId) },
    { name: "usage-by-tag.csv", pieces: usageByTag(runtime, actor.accountId) },
    { name: "errors-by-day.csv", pieces: errorsByDay(runtime, actor.accountId) },
    { name: "refused-requests.csv", pieces: refusedRequests(runtime, actor.accountId) },
    { name: "request-details.csv", pieces: requestDetails(runtime, actor.accountId) },
    { name: "outcomes.csv", pieces: outcomes(runtime, actor.accountId) },
    { name: "webhook-deliveries.csv", pieces: webhookDeliveries(runtime, actor.accountId) },
    { name: "mails.csv", pieces: mails(runtime, actor.accountId) },
    { name: "audit.csv", pieces: audit(runtime, actor) },
  ]
  const stream = streamText(runtime, actor.accountId, zipOf(files))
  try {
    await recordAudit(runtime.pool, actor, { action: "account.export", subject: actor.accountId })
  } catch (error) {
    // Nobody will read the stream, which counts as a download until it ends.
    await stream.cancel()
    throw error
  }
  return stream
}
