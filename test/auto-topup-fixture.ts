import type { Pool } from "pg"
import { beforeEach } from "vitest"
import { turnOnAutoTopup } from "@/lib/server/billing/auto-topup"
import { settleCardSession, startCardSession } from "@/lib/server/billing/save-card-session"
import { watchAutoTopups } from "@/lib/server/billing/watch-auto-topups"
import { postEntry } from "@/lib/server/ledger/post-entry"
import type { UserActor } from "@/lib/server/platform/actor"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { parseUsd, pico } from "@/lib/shared/money"
import { HOUR_MS } from "@/lib/shared/time"
import type { StripeDouble } from "./doubles/stripe/stripe-double"
import type { CardOutcome } from "./doubles/stripe/world"
import { setLedgerClock } from "./ledger-state"
import { newOwner, testTopups } from "./topup-fixture"

/** $25 when the balance is at $5 or below, at most $60 a month. */
export const TERMS = { thresholdUsd: "5", amountUsd: "25", capUsd: "60" }

/**
 * Starts a Stripe double for a test file, whose tests begin without faults. `watch` checks all balances and waits for the events. The
 * ledger's clock is stopped at an hour ago, so no month begins between charges that a test moves up to an hour into the past.
 */
export async function watchedTopups(): Promise<{ double: StripeDouble; watch(): Promise<void> }> {
  const { double } = await testTopups()
  await setLedgerClock(`timestamptz '${new Date(Date.now() - HOUR_MS).toISOString()}'`)
  beforeEach(() => {
    double.setDelivery("now")
    double.faults.clear()
  })
  const watch = async () => {
    await watchAutoTopups(runtime())
    await double.idle()
  }
  return { double, watch }
}

/** Enters a card at a checkout that saves it, and returns its id. */
export async function enterCard(double: StripeDouble, actor: UserActor, outcome: CardOutcome = "ok"): Promise<string> {
  const { payments } = runtime()
  const { checkoutUrl } = await startCardSession(runtime(), actor)
  const sessionId = checkoutUrl.split("/").at(-1) ?? ""
  const { id } = double.saveCard(sessionId, outcome)
  if (payments) await settleCardSession(runtime(), payments, sessionId)
  return id
}

export async function setBalance({ accountId }: UserActor, usd: string): Promise<void> {
  const { pool } = runtime()
  const { rows } = await pool.query<{ balance_pico: string }>("SELECT balance_pico FROM account WHERE id = $1", [
    accountId,
  ])
  const difference = pico((parseUsd(usd) ?? 0n) - BigInt(rows[0]?.balance_pico ?? 0))
  const kind = difference > 0n ? "credit" : "debit"
  if (difference !== 0n) await postEntry(pool, { accountId, kind, amountPico: difference, source: newId() })
}

/** Creates an account with automatic top-up and a balance. */
export async function automatic(
  double: StripeDouble,
  { outcome = "ok" as CardOutcome, terms = TERMS, usd = "4" } = {},
): Promise<UserActor> {
  const actor = await newOwner()
  await enterCard(double, actor, outcome)
  await turnOnAutoTopup(runtime(), actor, terms)
  await setBalance(actor, usd)
  return actor
}

/** Moves an account's top-ups into the past by this SQL interval, and makes them due for a check. */
export async function passTime({ accountId }: UserActor, interval: string): Promise<void> {
  await runtime().pool.query(
    `UPDATE topup SET created_at = created_at - $2::interval, charged_at = charged_at - $2::interval, checked_at = '-infinity'
     WHERE account_id = $1`,
    [accountId, interval],
  )
}

/** Returns the kinds of the mails to the account's members, oldest first. */
export async function mailKinds({ accountId }: UserActor): Promise<string[]> {
  const { rows } = await runtime().pool.query<{ kind: string }>(
    "SELECT kind FROM queued_mail WHERE account_id = $1 ORDER BY created_at, kind",
    [accountId],
  )
  return rows.map(({ kind }) => kind)
}

/** Returns the succeeded payments of the account's customer at Stripe, in cents, oldest first. */
export async function chargesOf(double: StripeDouble, { accountId }: UserActor): Promise<number[]> {
  const { rows } = await runtime().pool.query<{ customer: string }>(
    "SELECT stripe_customer_id AS customer FROM account WHERE id = $1",
    [accountId],
  )
  return double.world.store
    .all("payment_intent")
    .filter(({ customer, status }) => customer === rows[0]?.customer && status === "succeeded")
    .map(({ amount_received }) => amount_received)
}

export const MONTH_MINUTES = 31 * 24 * 60

/** Moves top-ups, saved cards, checkouts and events into the past. With a month or more, also moves the month that reached the cap. */
export async function moveToPast(pool: Pool, double: StripeDouble, minutes: number): Promise<void> {
  const by = `${minutes} minutes`
  await pool.query("UPDATE topup SET created_at = created_at - $1::interval, charged_at = charged_at - $1::interval", [
    by,
  ])
  await pool.query("UPDATE saved_card SET entered_at = entered_at - $1::interval", [by])
  if (minutes >= MONTH_MINUTES) await pool.query("UPDATE auto_topup SET capped_in = capped_in - interval '1 month'")
  for (const event of double.events) event.created -= minutes * 60
  for (const session of double.world.store.all("checkout.session")) session.expires_at -= minutes * 60
  for (const method of double.world.store.all("payment_method")) method.created -= minutes * 60
  await pool.query("UPDATE stripe_event_cursor SET read_until = read_until - $1::interval", [by])
}
