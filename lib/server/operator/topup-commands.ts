import { Command, Option } from "commander"
import { listFailedEvents } from "@/lib/server/billing/failed-events"
import { listPayments } from "@/lib/server/billing/list-payments"
import { refundTopup } from "@/lib/server/billing/refund-topup"
import { endTopup, settleTopup } from "@/lib/server/billing/resolve-topup"
import type { Topup } from "@/lib/server/billing/topup"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { formatExactUsd } from "@/lib/shared/format"
import { TopupFilter } from "@/lib/shared/operator/search"
import { centsUsd, note, whole } from "./arguments"
import { ACCOUNT, operatorOn } from "./named-account"
import { facts, type Outcome, type RunCommand, table } from "./outcome"

const MAX_LISTED = 1_000

const json = (topup: Topup) => ({
  id: topup.id,
  created_at: topup.at,
  status: topup.status,
  credit_usd: topup.creditUsd,
  paid_usd: topup.paidUsd,
  refunded_usd: topup.refundedUsd,
  disputed_usd: topup.disputedUsd,
  receipt_url: topup.receiptUrl,
})

const utc = (at: string): string => at.slice(0, 16).replace("T", " ")

interface ListOptions {
  limit: number
  after?: string | null
  show: TopupFilter
}

async function list(named: string | undefined, { limit, after = null, show }: ListOptions): Promise<Outcome> {
  const accountId = named === undefined ? null : (await operatorOn(named)).accountId
  const { payments, next } = await listPayments(runtime(), OPERATOR, { limit, after, show, accountId })
  const rows = payments.map(({ id, account, at, status, creditUsd, paidUsd, refundedUsd, disputedUsd }) => [
    id,
    account.email,
    utc(at),
    status,
    formatExactUsd(creditUsd),
    paidUsd === null ? null : formatExactUsd(paidUsd),
    formatExactUsd(refundedUsd),
    formatExactUsd(disputedUsd),
  ])
  const text = table(["Top-up", "Account", "Started (UTC)", "Status", "Credit", "Paid", "Refunded", "Disputed"], rows)
  return {
    json: { topups: payments.map((payment) => ({ ...json(payment), account: payment.account })), next },
    text: next === null ? text : `${text}\n\nMore: add --after ${next}`,
  }
}

async function events(): Promise<Outcome> {
  const failed = await listFailedEvents(runtime(), OPERATOR)
  const rows = failed.map(({ id, type, failedAt, attempts, nextAt }) => [
    id,
    type,
    utc(failedAt),
    attempts,
    nextAt && utc(nextAt),
  ])
  return {
    json: {
      events: failed.map(({ id, type, failedAt, attempts, nextAt }) => ({
        id,
        type,
        failed_at: failedAt,
        attempts,
        next_at: nextAt,
      })),
    },
    text: table(["Event", "Type", "Failed (UTC)", "Retries", "Next (UTC)"], rows),
  }
}

async function refund(id: string, amountCents: number | null, why: string): Promise<Outcome> {
  const topup = await refundTopup(runtime(), OPERATOR, { id, amountCents, note: why })
  const text = facts([
    ["Top-up", topup.id],
    ["Paid", topup.paidUsd === null ? "–" : formatExactUsd(topup.paidUsd)],
    ["Credit", formatExactUsd(topup.creditUsd)],
    ["Debited for refunds", formatExactUsd(topup.refundedUsd)],
  ])
  return { json: json(topup), text }
}

async function settle(id: string, amountCents: number, why: string): Promise<Outcome> {
  const topup = await settleTopup(runtime(), OPERATOR, { id, amountCents, note: why })
  return { json: json(topup), text: `${topup.id} is settled. Its account got the credit.` }
}

async function end(id: string, why: string): Promise<Outcome> {
  const topup = await endTopup(runtime(), OPERATOR, { id, note: why })
  return { json: json(topup), text: `${topup.id} has ended without credit. Refund a payment in Stripe.` }
}

/** `topup settle|end` */
const resolvingCommands = (act: RunCommand): Command[] => [
  new Command("settle")
    .description("add credit for a checkout that needs attention, such as one paid in another currency")
    .argument("<id>", "top_… of a top-up that needs attention")
    .requiredOption("--usd <usd>", "the credit to add", centsUsd)
    .requiredOption("--note <text>", "the reason, kept in the ledger and the audit log", note)
    .action((id: string, options: { usd: number; note: string }) => act(() => settle(id, options.usd, options.note))),
  new Command("end")
    .description("end a checkout that needs attention, without credit")
    .argument("<id>", "top_… of a top-up that needs attention")
    .requiredOption("--note <text>", "the reason, kept in the audit log", note)
    .action((id: string, options: { note: string }) => act(() => end(id, options.note))),
]

/** `topup list|events|refund|settle|end` */
export function topupCommands(act: RunCommand): Command {
  const topup = new Command("topup")
    .description("manage payments for credit")
    .addCommand(
      new Command("list")
        .description("list the top-ups of one account or of all, newest first")
        .argument("[account]", ACCOUNT)
        .option("--limit <n>", "how many to list at once", whole(1, MAX_LISTED), 100)
        .option("--after <next>", "continue after this page: its `next`")
        .addOption(new Option("--show <which>", "which top-ups").choices(TopupFilter.options).default("all"))
        .action((named: string | undefined, options: ListOptions) => act(() => list(named, options))),
    )
    .addCommand(
      new Command("events")
        .description("list the Stripe events that could not be settled: without a next attempt, they were given up")
        .action(() => act(events)),
    )
    .addCommand(
      new Command("refund")
        .description("refund a payment through Stripe and debit its credit")
        .argument("<id>", "top_…, as `topup list` prints it")
        .option("--usd <usd>", "a part of the payment, including tax (default: all that is left)", centsUsd)
        .requiredOption("--note <text>", "the reason, kept in the audit log", note)
        .action((id: string, options: { usd?: number; note: string }) =>
          act(() => refund(id, options.usd ?? null, options.note)),
        ),
    )
  for (const command of resolvingCommands(act)) topup.addCommand(command)
  return topup
}
