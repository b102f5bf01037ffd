import { Command } from "commander"
import { findTopups } from "@/lib/server/billing/list-topups"
import { refundTopup } from "@/lib/server/billing/refund-topup"
import type { Topup } from "@/lib/server/billing/topup"
import { formatExactUsd } from "@/lib/shared/format"
import { findAccountId } from "./account-view"
import { centsUsd, note } from "./arguments"
import type { Act } from "./command-line"
import { facts, type Outcome, table } from "./outcome"

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

async function list(email: string): Promise<Outcome> {
  const topups = await findTopups(await findAccountId(email))
  const rows = topups.map(({ id, at, status, creditUsd, paidUsd, refundedUsd, disputedUsd }) => [
    id,
    at.slice(0, 16).replace("T", " "),
    status,
    formatExactUsd(creditUsd),
    paidUsd === null ? null : formatExactUsd(paidUsd),
    formatExactUsd(refundedUsd),
    formatExactUsd(disputedUsd),
  ])
  const text = table(["Top-up", "Begun (UTC)", "Status", "Credit", "Paid", "Refunded of it", "Disputed of it"], rows)
  return { json: { topups: topups.map(json) }, text }
}

async function refund(id: string, amountCents: number | null, why: string): Promise<Outcome> {
  const topup = await refundTopup({ id, amountCents, note: why })
  const text = facts([
    ["Top-up", topup.id],
    ["Paid", topup.paidUsd === null ? "–" : formatExactUsd(topup.paidUsd)],
    ["Credit", formatExactUsd(topup.creditUsd)],
    ["Taken back for refunds", formatExactUsd(topup.refundedUsd)],
  ])
  return { json: json(topup), text }
}

/** `topup list|refund` */
export function topupCommands(act: Act): Command {
  return new Command("topup")
    .description("payments for credit")
    .addCommand(
      new Command("list")
        .description("show an account's top-ups, newest first")
        .argument("<email>", "the address that the account was made for")
        .action((email: string) => act(() => list(email))),
    )
    .addCommand(
      new Command("refund")
        .description("refund a payment through Stripe and take back the credit it stood for")
        .argument("<id>", "top_… as `topup list` shows it")
        .option("--usd <usd>", "a part of what was paid, tax included; otherwise all that is left", centsUsd)
        .requiredOption("--note <text>", "why, for the audit log", note)
        .action((id: string, options: { usd?: number; note: string }) =>
          act(() => refund(id, options.usd ?? null, options.note)),
        ),
    )
}
