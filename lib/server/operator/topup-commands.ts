import { Command } from "commander"
import { operatorForEmail } from "@/lib/server/accounts/get-account"
import { refundTopup } from "@/lib/server/billing/refund-topup"
import { listTopups, type Topup } from "@/lib/server/billing/topup"
import { OPERATOR } from "@/lib/server/platform/actor"
import { formatExactUsd } from "@/lib/shared/format"
import { EMAIL } from "./account-commands"
import { centsUsd, note } from "./arguments"
import { facts, type Outcome, type RunCommand, table } from "./outcome"

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
  const topups = await listTopups(await operatorForEmail(email))
  const rows = topups.map(({ id, at, status, creditUsd, paidUsd, refundedUsd, disputedUsd }) => [
    id,
    at.slice(0, 16).replace("T", " "),
    status,
    formatExactUsd(creditUsd),
    paidUsd === null ? null : formatExactUsd(paidUsd),
    formatExactUsd(refundedUsd),
    formatExactUsd(disputedUsd),
  ])
  const text = table(["Top-up", "Started (UTC)", "Status", "Credit", "Paid", "Refunded", "Disputed"], rows)
  return { json: { topups: topups.map(json) }, text }
}

async function refund(id: string, amountCents: number | null, why: string): Promise<Outcome> {
  const topup = await refundTopup(OPERATOR, { id, amountCents, note: why })
  const text = facts([
    ["Top-up", topup.id],
    ["Paid", topup.paidUsd === null ? "–" : formatExactUsd(topup.paidUsd)],
    ["Credit", formatExactUsd(topup.creditUsd)],
    ["Debited for refunds", formatExactUsd(topup.refundedUsd)],
  ])
  return { json: json(topup), text }
}

/** `topup list|refund` */
export function topupCommands(act: RunCommand): Command {
  return new Command("topup")
    .description("manage payments for credit")
    .addCommand(
      new Command("list")
        .description("list an account's top-ups, newest first")
        .argument("<email>", EMAIL)
        .action((email: string) => act(() => list(email))),
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
}
