import { createHmac } from "node:crypto"
import { setTimeout as delay } from "node:timers/promises"
import type Stripe from "stripe"
import { missing } from "./errors"

type Receive = (payload: string, signature: string) => Promise<number>

export interface Endpoint {
  to: string | Receive
  /** Stripe signs with both secrets while one is rotated. */
  secrets: string[]
}

export interface Delivery {
  eventId: string
  /** Null if the endpoint was unreachable, did not respond in time or is not set. */
  status: number | null
}

/** Sent at once, held until a command, or dropped. A dropped event is only in the list of events. */
export type DeliveryMode = "now" | "held" | "dropped"

const ENDPOINT_TIMEOUT_MS = 10_000
const isDone = (status: number | null): boolean => status !== null && status >= 200 && status < 300

/** Returns the `stripe-signature` header of a payload, with one `v1` for each secret. */
export function signatureOf(payload: string, secrets: string[], atSeconds: number): string {
  const hash = (secret: string) => createHmac("sha256", secret).update(`${atSeconds}.${payload}`).digest("hex")
  return [`t=${atSeconds}`, ...secrets.map((secret) => `v1=${hash(secret)}`)].join(",")
}

/** Returns the body of a webhook, indented as Stripe sends it. */
export const payloadOf = (event: Stripe.Event): string => JSON.stringify(event, null, 2)

async function postTo(url: string, payload: string, signature: string): Promise<number> {
  const response = await fetch(url, {
    method: "POST",
    body: payload,
    redirect: "manual",
    signal: AbortSignal.timeout(ENDPOINT_TIMEOUT_MS),
    headers: {
      "content-type": "application/json; charset=utf-8",
      "stripe-signature": signature,
      "user-agent": "Stripe/1.0",
    },
  })
  await response.arrayBuffer()
  return response.status
}

export class Mailbox {
  mode: DeliveryMode = "now"
  endpoint: Endpoint | null
  /** Every attempt, in the order of completion. */
  readonly deliveries: Delivery[] = []
  #events = new Map<string, Stripe.Event>()
  #held: string[] = []
  #underway = new Set<Promise<unknown>>()

  constructor(
    endpoint: Endpoint | null,
    private readonly nowMs: () => number,
    private readonly retryDelaysMs: number[],
  ) {
    this.endpoint = endpoint
  }

  get held(): string[] {
    return [...this.#held]
  }

  post(event: Stripe.Event): void {
    this.#events.set(event.id, event)
    if (!this.endpoint) return
    if (this.mode === "held") this.#held.push(event.id)
    if (this.mode === "now") void this.#track(this.#send(event))
  }

  /** Delivers these events sequentially and returns the result of each. An id may occur twice. */
  async deliver(eventIds: string[]): Promise<Delivery[]> {
    const results: Delivery[] = []
    for (const id of eventIds) {
      const event = this.#events.get(id)
      if (!event) throw missing("event", id)
      this.#held = this.#held.filter((held) => held !== id)
      results.push(await this.#track(this.#send(event)))
    }
    return results
  }

  async flush(): Promise<Delivery[]> {
    const results = await this.deliver(this.held)
    await this.idle()
    return results
  }

  shuffle(random: () => number = Math.random): void {
    const drawn = this.#held.map((id) => ({ id, lot: random() }))
    this.#held = drawn.sort((a, b) => a.lot - b.lot).map(({ id }) => id)
  }

  drop(eventIds: string[] = this.held): void {
    this.#held = this.#held.filter((id) => !eventIds.includes(id))
  }

  async idle(): Promise<void> {
    while (this.#underway.size > 0) await Promise.allSettled(this.#underway)
  }

  #track<Result>(work: Promise<Result>): Promise<Result> {
    this.#underway.add(work)
    const forget = () => this.#underway.delete(work)
    work.then(forget, forget)
    return work
  }

  async #send(event: Stripe.Event): Promise<Delivery> {
    const last = await this.#attempt(event)
    for (const wait of this.retryDelaysMs) {
      if (isDone(last.status)) break
      await delay(wait, undefined, { ref: false })
      last.status = (await this.#attempt(event)).status
    }
    return last
  }

  async #attempt(event: Stripe.Event): Promise<Delivery> {
    const { endpoint } = this
    if (!endpoint) return { eventId: event.id, status: null }
    const payload = payloadOf(event)
    const signature = signatureOf(payload, endpoint.secrets, Math.floor(this.nowMs() / 1000))
    const receive: Receive = typeof endpoint.to === "string" ? postTo.bind(null, endpoint.to) : endpoint.to
    const status = await receive(payload, signature).catch(() => null)
    this.deliveries.push({ eventId: event.id, status })
    return { eventId: event.id, status }
  }
}
