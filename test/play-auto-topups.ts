import { turnOffAutoTopup, turnOnAutoTopup } from "@/lib/server/billing/auto-topup"
import { pollEvents, pollTopups } from "@/lib/server/billing/poll-topups"
import { detachRemovedCards, removeCard } from "@/lib/server/billing/saved-card"
import { watchAutoTopups } from "@/lib/server/billing/watch-auto-topups"
import { postEntry } from "@/lib/server/ledger/post-entry"
import type { UserActor } from "@/lib/server/platform/actor"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { startStripe } from "@/test/doubles/stripe/start-stripe"
import type { StripeDouble } from "@/test/doubles/stripe/stripe-double"
import { automatic, enterCard, MONTH_MINUTES, mailKinds, moveToPast, setBalance, TERMS } from "./auto-topup-fixture"
import type { AutoHistory, Outside, Service, Work } from "./auto-topup-histories"
import { AutomaticCharges } from "./automatic-charges"
import { StripePlayer } from "./stripe-player"
import { buy, connectStripe, dollars, webhook } from "./topup-fixture"

const USD = 1_000_000_000_000n

export interface PlayedAuto {
  balanceUsd: string
  /** Credits and payments less spending, refunds and disputes. */
  expectedUsd: string
  /** Payments at Stripe that share their top-up with another one. */
  doubled: number
  /** The shortest time between two automatic charges, in minutes. */
  closestMinutes: number
  /** The largest sum of automatic charges in a month, in cents. */
  mostInMonthCents: number
  charges: number
  doneMails: number
  crashes: number
  /** Whether a month later, after the owner turned automatic top-up on again, a low balance is charged. */
  isAlive: boolean
}

class AutoPlayer {
  readonly processes: StripePlayer<Outside>
  spentUsd = 0
  minute = 0

  constructor(
    readonly double: StripeDouble,
    readonly actor: UserActor,
    readonly terms: typeof TERMS,
    readonly pool: ReturnType<typeof runtime>["pool"],
    readonly charges = new AutomaticCharges(double),
  ) {
    this.processes = new StripePlayer(double, (step) => this.outside(step))
  }

  async service(step: Service): Promise<void> {
    const works = step.works.map((work) => () => this.work(work))
    await this.processes.run(works, step)
    this.charges.note(this.minute)
  }

  private async work(what: Work): Promise<unknown> {
    const { actor, double } = this
    switch (what.do) {
      case "watch":
        return watchAutoTopups(runtime())
      case "poll":
        return this.poll()
      case "turn on":
        return turnOnAutoTopup(runtime(), actor, this.terms)
      case "turn off":
        return turnOffAutoTopup(runtime(), actor)
      case "remove card":
        return removeCard(runtime(), actor)
      case "enter card":
        return enterCard(double, actor, what.outcome)
      case "pay and save card": {
        const { sessionId } = await buy(actor, this.terms.amountUsd, newId(), true)
        return double.pay(sessionId)
      }
      case "deliver": {
        const { mailbox } = double
        mailbox.shuffle()
        const some = mailbox.held.slice(0, Math.ceil((mailbox.held.length * what.percent) / 100))
        return Promise.all(Array.from({ length: what.copies }, () => double.deliver(some)))
      }
    }
  }

  async poll(): Promise<void> {
    await runtime().pool.query(
      "UPDATE topup SET checked_at = now() - interval '1 day' WHERE status IN ('created', 'open', 'processing')",
    )
    await pollTopups(runtime())
    await pollEvents(runtime())
    await detachRemovedCards(runtime())
  }

  /** Polls once. After a failure, moves 61 minutes ahead and polls again: the service gives up a charge with two 500s after an hour. */
  async settle(): Promise<void> {
    await this.poll().catch(async () => {
      await this.wait(61)
      await this.poll()
    })
  }

  async outside(step: Outside): Promise<void> {
    const { double, actor } = this
    const paid = double.world.store.all("payment_intent").filter(({ status }) => status === "succeeded")
    const last = paid.at(-1)
    const part = Math.max(1, Math.floor(((last?.amount_received ?? 0) * ("percent" in step ? step.percent : 0)) / 100))
    try {
      if (step.do === "spend") {
        this.spentUsd += step.usd
        const amountPico = pico(-BigInt(step.usd) * USD)
        await postEntry(this.pool, { accountId: actor.accountId, kind: "debit", amountPico, source: newId() })
      } else if (step.do === "bank") double.setCard(step.outcome)
      else if (step.do === "lose events") double.mailbox.drop()
      else if (step.do === "detach") {
        const card = double.world.store.all("payment_method").at(-1)
        if (card) card.customer = null
      } else if (last && step.do === "refund") double.refund(last.id, { amount: part })
      else if (last && step.do === "dispute") double.disputeFundsWithdrawn(double.dispute(last.id, { amount: part }).id)
    } catch {
      // Stripe refuses impossible steps, such as a second refund.
    }
  }

  async wait(minutes: number): Promise<void> {
    // The pollers run within a month, and give up a checkout after it.
    if (minutes >= MONTH_MINUTES) {
      await this.settle()
      this.charges.note(this.minute)
    }
    this.minute += minutes
    await moveToPast(this.pool, this.double, minutes)
  }

  /** Returns the expected credit in cents of everything that was paid. */
  async expectedCents(): Promise<number> {
    const { rows } = await this.pool.query<{ id: string; amount_cents: number }>(
      "SELECT id, amount_cents FROM topup WHERE account_id = $1",
      [this.actor.accountId],
    )
    return rows.reduce((sum, { id, amount_cents: credit }) => {
      const { paid, refunded, disputed } = this.double.totals(id)
      return sum + (paid === 0 ? 0 : credit - Math.min(credit, refunded + disputed))
    }, 0)
  }

  doubled(): number {
    const paid = this.double.world.store.all("payment_intent").filter(({ status }) => status === "succeeded")
    return paid.length - new Set(paid.map(({ metadata }) => metadata.topup)).size
  }

  /** Ends open disputes, waits a month and turns automatic top-up on again. Returns whether it then charges a low balance. */
  async isAlive(): Promise<boolean> {
    for (const { id, status } of this.double.world.store.all("dispute"))
      if (status === "needs_response") this.double.disputeLost(id)
    await this.wait(MONTH_MINUTES)
    await enterCard(this.double, this.actor)
    await turnOnAutoTopup(runtime(), this.actor, this.terms)
    await setBalance(this.actor, "5")
    await watchAutoTopups(runtime())
    return (await dollars(this.actor)) === "30.00"
  }
}

const START_USD = 4

/** Plays one history of automatic top-up, lets the pollers finish, and returns the results of the account and of Stripe. */
export async function playAutoTopups({ capUsd, steps }: AutoHistory): Promise<PlayedAuto> {
  const { pool } = runtime()
  const double = await startStripe({ webhook, retryDelaysMs: [] })
  connectStripe(double)
  const terms = { ...TERMS, capUsd }
  const actor = await automatic(double, { usd: String(START_USD), terms })
  const player = new AutoPlayer(double, actor, terms, pool)
  double.setDelivery("held")
  try {
    player.processes.restart()
    for (const step of steps) {
      if (step.do === "service") await player.service(step)
      else if (step.do === "wait") await player.wait(step.minutes)
      else await player.outside(step)
    }
    await player.settle()
    await double.flush()
    await player.settle()
    player.charges.note(player.minute)
    const cents = (await player.expectedCents()) + (START_USD - player.spentUsd) * 100
    return {
      balanceUsd: await dollars(actor),
      expectedUsd: (cents / 100).toFixed(2),
      doubled: player.doubled(),
      closestMinutes: player.charges.closestMinutes,
      mostInMonthCents: player.charges.mostInMonthCents,
      charges: player.charges.count,
      doneMails: (await mailKinds(actor)).filter((kind) => kind === "auto_topup_done").length,
      crashes: player.processes.crashes,
      isAlive: await player.isAlive(),
    }
  } finally {
    player.processes.restart()
    await double.stop()
    await pool.query(
      "DELETE FROM topup; DELETE FROM auto_topup; DELETE FROM saved_card; DELETE FROM stripe_event_cursor",
    )
  }
}
