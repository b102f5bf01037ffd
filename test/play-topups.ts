import { getBalance } from "@/lib/server/billing/balance"
import { checkReturn } from "@/lib/server/billing/check-topup"
import { reconcileTopup } from "@/lib/server/billing/reconcile-topup"
import { refundTopup } from "@/lib/server/billing/refund-topup"
import { OPERATOR, type UserActor } from "@/lib/server/platform/actor"
import { newId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { startStripe } from "@/test/doubles/stripe/start-stripe"
import type { StripeDouble } from "@/test/doubles/stripe/stripe-double"
import { StripePlayer } from "./stripe-player"
import { buy, newOwner, poll, webhook } from "./topup-fixture"
import type { Ask, AtService, AtStripe, History } from "./topup-histories"

const AMOUNTS_USD = ["5", "25", "12.37", "100", "4999.99"]

interface Purchase {
  id: string
  amountUsd: string
  urls: Set<string>
}

export interface Played {
  balanceUsd: string
  /** The credit that the double's payments, less refunds and disputes, amount to. */
  expectedUsd: string
  /** The number of checkout URLs of each top-up. */
  addresses: number[]
  events: number
  crashes: number
}

const pick = <Item>(items: Item[], which: number): Item | undefined => items[which % Math.max(1, items.length)]

class Player {
  readonly purchases: Purchase[] = []
  readonly processes: StripePlayer<AtStripe>

  constructor(
    readonly double: StripeDouble,
    readonly actor: UserActor,
  ) {
    this.processes = new StripePlayer(double, (step) => this.tryStripe(step))
  }

  async play(step: AtService | AtStripe): Promise<void> {
    if (step.do === "service")
      await this.processes.run(
        [step.what, ...step.concurrent].map((each) => () => this.ask(each)),
        step,
        step.inOwnProcesses,
      )
    else this.tryStripe(step)
    await this.passTime()
  }

  /** Lets ten minutes pass, which is longer than the pollers look back. */
  private async passTime(): Promise<void> {
    for (const event of this.double.events) event.created -= 600
    await runtime().pool.query("UPDATE stripe_event_cursor SET read_until = read_until - interval '10 min'")
  }

  private tryStripe(step: AtStripe): void {
    try {
      this.playStripe(step)
    } catch {
      // Stripe refuses impossible steps, such as a second refund.
    }
  }

  private async ask(what: Ask | AtService["what"]): Promise<unknown> {
    switch (what.do) {
      case "buy": {
        const amountUsd = AMOUNTS_USD[what.amount] ?? "5"
        const purchase = { id: newId(), amountUsd, urls: new Set<string>() }
        this.purchases.push(purchase)
        return this.press(purchase)
      }
      case "poll":
        return poll()
      case "deliver":
        return this.deliver(what)
    }
    const purchase = pick(this.purchases, what.which)
    if (!purchase) return null
    if (what.do === "press") return this.press(purchase)
    if (what.do === "reconcile") return reconcileTopup(runtime(), purchase.id)
    if (what.do === "page") return checkReturn(runtime(), this.actor, { sessionId: this.sessionIds(purchase)[0] ?? "" })
    const { paid } = this.double.totals(purchase.id)
    const amountCents = what.percent === 100 ? null : Math.max(1, Math.floor((paid * what.percent) / 100))
    return refundTopup(runtime(), OPERATOR, { id: publicId("top", purchase.id), amountCents, note: "history" })
  }

  private async press(purchase: Purchase): Promise<void> {
    purchase.urls.add((await buy(this.actor, purchase.amountUsd, purchase.id)).checkoutUrl)
  }

  private async deliver({ percent, copies, order }: Extract<Ask, { do: "deliver" }>): Promise<void> {
    const { mailbox } = this.double
    mailbox.shuffle(() => order.next().value ?? 0)
    const some = mailbox.held.slice(0, Math.ceil((mailbox.held.length * percent) / 100))
    await Promise.all(Array.from({ length: copies }, () => this.double.deliver(some)))
  }

  private sessionIds({ urls }: Purchase): string[] {
    return [...urls].map((url) => url.split("/").at(-1) ?? "")
  }

  private playStripe(step: AtStripe): void {
    const { double } = this
    if (step.do === "lose events") {
      const { held } = double.mailbox
      double.mailbox.drop(held.slice(0, Math.ceil((held.length * step.percent) / 100)))
      return
    }
    const purchase = pick(this.purchases, step.which)
    const sessionId = purchase && this.sessionIds(purchase).at(-1)
    if (!sessionId) return
    const session = double.world.store.get("checkout.session", sessionId)
    const payment = String(session.payment_intent)
    const part = (cents: number, percent: number) => Math.max(1, Math.floor((cents * percent) / 100))
    const disputes = double.world.store.all("dispute").filter(({ payment_intent }) => payment_intent === payment)
    const refunds = double.world.store.all("refund").filter(({ payment_intent }) => payment_intent === payment)
    const dispute = pick(disputes, step.which)?.id ?? ""
    switch (step.do) {
      case "pay":
        return void double[({ card: "pay", later: "payLater", fail: "fail" } as const)[step.how]](sessionId)
      case "settle":
        return void double.settleLater(sessionId, step.ok ? "ok" : "failed")
      case "expire":
        return void double.expire(sessionId)
      case "refund":
        return void double.refund(payment, {
          amount: part(session.amount_total ?? 0, step.percent),
          isPending: step.isPending,
        })
      case "end refund":
        return void double[step.ok ? "succeedRefund" : "failRefund"](pick(refunds, step.which)?.id ?? "")
      case "dispute":
        return void this.dispute(payment, part(session.amount_total ?? 0, step.percent), step.isWithdrawn)
      case "withdraw":
        return void double.disputeFundsWithdrawn(dispute)
      case "decide":
        return void double[step.won ? "disputeWon" : "disputeLost"](dispute)
    }
  }

  private dispute(payment: string, amount: number, isWithdrawn: boolean): void {
    const { id } = this.double.dispute(payment, { amount })
    if (isWithdrawn) this.double.disputeFundsWithdrawn(id)
  }

  /** Returns the expected credit of a top-up, in cents. */
  expectedCents({ id, amountUsd }: Purchase): number {
    const credit = Math.round(Number(amountUsd) * 100)
    const { paid, refunded, disputed } = this.double.totals(id)
    if (paid === 0) return 0
    const share = (cents: number) => Number((2n * BigInt(cents) * BigInt(credit) + BigInt(paid)) / (2n * BigInt(paid)))
    return credit - Math.min(credit, share(refunded) + share(disputed))
  }
}

/** Plays one history, runs the pollers, and returns the results of the account and of Stripe. */
export async function playTopups({ taxPercent, steps }: History): Promise<Played> {
  const { pool } = runtime()
  const double = await startStripe({ webhook, retryDelaysMs: [], taxPercent })
  const player = new Player(double, await newOwner())
  double.setDelivery("held")
  try {
    player.processes.restart()
    for (const step of steps) await player.play(step)
    await poll()
  } finally {
    runtime().pool = pool
    await double.stop()
  }
  const { accountId } = player.actor
  await pool.query("DELETE FROM topup WHERE account_id = $1", [accountId])
  await pool.query("DELETE FROM stripe_event_cursor")
  const expected = player.purchases.reduce((sum, purchase) => sum + player.expectedCents(purchase), 0)
  return {
    balanceUsd: (await getBalance(runtime(), player.actor)).balanceUsd,
    expectedUsd: `${(expected / 100).toFixed(2)}0000000000`,
    addresses: player.purchases.map(({ urls }) => urls.size),
    events: double.mailbox.deliveries.length,
    crashes: player.processes.crashes,
  }
}
