/**
 * A grant is credit that this process reserved for many requests of one key, ahead of their use. In the database it is an open
 * hold that they share. A request draws its maximum cost from it in memory, and its charge shrinks the grant in the database.
 * Balance and limit count a grant as reserved, like any hold. Whatever this process believes, only the database decides what is
 * charged (`charge_drawn`). Requests that do not draw take the exact path: a hold of their own. Design: docs/decisions/0103.
 *
 *   draw ──► drawn ──► charge_drawn ──► captured     one round trip for the whole request
 *                 ├──► released in memory            the request failed before its charge: nothing is paid
 *                 └──► end_grant ──► held            the grant ended first: the request has a hold of its own from then on
 */

import { setTimeout as sleep } from "node:timers/promises"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { type Draw, type Grant, newGrant, type Spender } from "./grant"
import { endGrantWithRetries, extendGrant, renewGrants } from "./grant-statements"
import { type HoldRequest, tagsText } from "./held-request"
import { Recalls } from "./recalls"
import { SpendRate } from "./spend-rate"

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    grants: Grants
  }
}

/** Below this rate, a grant costs more statements than it saves. */
const LEAST_PER_SECOND = 4
/** A grant pays for at least this many requests, so none is given where a few requests reach a limit. */
const LEAST_REQUESTS = 4n
/** A grant lasts for this long at the recent rate. Extended at a quarter, a busy key asks every 1.5 s. */
const LASTS_SECONDS = 2n
const BEAT_MS = 250
const IDLE_MS = 1_000
const PAUSE_MS = 100
const CLOSE_MS = 5_000

const costOf = ({ pricePico, maxTokens }: HoldRequest): bigint => pricePico * BigInt(maxTokens)

/** The grants of this process, and what its requests drew from them. */
export class Grants {
  readonly #spenders = new Map<string, Spender>()
  readonly #draws = new Map<string, Draw>()
  readonly #recalls = new Recalls((accountId) => this.#endAll(accountId))
  readonly #ending = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | null = null
  #isBeating = false
  #isClosed = false

  /** `idleMs`: a grant on which nothing was drawn for this long ends. */
  constructor(private readonly idleMs = IDLE_MS) {}

  /** Draws a request's maximum cost. Returns false when it must take the exact path. */
  draw(request: HoldRequest): boolean {
    const costPico = costOf(request)
    if (costPico <= 0n || this.#isClosed) return false
    const now = performance.now()
    const spender = this.#spenderOf(request)
    spender.rate.note(costPico, now)
    const { grant } = spender
    if (!grant) {
      if (spender.rate.perSecond(now) >= LEAST_PER_SECOND) this.#open(spender, request, now)
      return false
    }
    const fits = grant.freePico >= costPico
    if (fits) {
      const draw: Draw = { request, costPico, grant, drawnAt: now, isCharging: false, isGivenUp: false }
      grant.freePico -= costPico
      grant.drawnPico += costPico
      grant.drawnAt = now
      grant.draws.add(draw)
      this.#draws.set(request.id, draw)
    }
    this.#extendWhenLow(grant, request, now)
    return fits
  }

  /** Returns what a request drew and did not settle, or undefined for a request with a hold of its own. */
  drawOf(requestId: string): Draw | undefined {
    return this.#draws.get(requestId)
  }

  /** Ends a draw, and returns to the grant what was not charged. */
  settle(draw: Draw, chargedPico: bigint): void {
    if (!this.#draws.delete(draw.request.id)) return
    const { grant, costPico } = draw
    grant.draws.delete(draw)
    grant.drawnPico -= costPico
    grant.freePico += costPico - chargedPico
  }

  /** Ends a draw whose grant cannot pay, and the grant. */
  lost(draw: Draw): void {
    this.settle(draw, draw.costPico)
    void this.end(draw.grant)
  }

  /** Ends all grants on an account, as `Recalls` describes. */
  recall(accountId: string): Promise<void> {
    return this.#recalls.recall(runtime(), accountId)
  }

  /** Ends every grant. Requests that still draw get holds of their own. Resolves within five seconds: after that, leases end them. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer) clearInterval(this.#timer)
    for (const grant of this.#live()) void this.end(grant)
    await Promise.race([Promise.all(this.#ending), sleep(CLOSE_MS, undefined, { ref: false })])
  }

  /** Requests with other tags count in other budgets, so they never share a grant. */
  #spenderOf(request: HoldRequest): Spender {
    const { accountId, keyId } = request.actor
    const tags = tagsText(request)
    const name = tags === null ? keyId : `${keyId} ${tags}`
    const known = this.#spenders.get(name)
    if (known) return known
    const rate = new SpendRate()
    const { modelId } = request
    const made: Spender = { accountId, keyId, modelId, tags, rate, grant: null, isOpening: false, pausedUntil: 0 }
    this.#spenders.set(name, made)
    this.#timer ??= setInterval(() => void this.#beat(), BEAT_MS).unref()
    return made
  }

  *#live(): Generator<Grant> {
    for (const { grant } of this.#spenders.values()) if (grant) yield grant
  }

  #mayAsk(spender: Spender, now: number): boolean {
    return now >= spender.pausedUntil && !this.#recalls.isPaused(spender.accountId, now)
  }

  #open(spender: Spender, request: HoldRequest, now: number): void {
    if (spender.isOpening || !this.#mayAsk(spender, now)) return
    spender.isOpening = true
    const grant = newGrant(newId(), spender)
    void this.#extend(grant, true, request, now).finally(() => {
      spender.isOpening = false
      if (grant.freePico === 0n) return
      spender.grant = grant
      // The account's grants may have been recalled before the reply.
      if (this.#isClosed || !this.#mayAsk(spender, performance.now())) void this.end(grant)
    })
  }

  #extendWhenLow(grant: Grant, request: HoldRequest, now: number): void {
    if (grant.isExtending || grant.freePico >= grant.wholePico / 4n || !this.#mayAsk(grant.spender, now)) return
    grant.isExtending = true
    void this.#extend(grant, false, request, now).finally(() => {
      grant.isExtending = false
    })
  }

  async #extend(grant: Grant, isNew: boolean, request: HoldRequest, now: number): Promise<void> {
    const { spender } = grant
    const smallest = LEAST_REQUESTS * costOf(request)
    const recent = LASTS_SECONDS * spender.rate.picoPerSecond(now)
    const wanted = grant.drawnPico + (recent > 2n * smallest ? recent : 2n * smallest)
    const { accountId, keyId, modelId, tags } = spender
    // What a lost reply added is not used, and is released when the grant ends.
    const added = await extendGrant(runtime(), {
      id: grant.id,
      isNew,
      accountId,
      keyId,
      modelId,
      wantedPico: wanted,
      smallestPico: smallest,
      boundPico: request.isBound ? costOf(request) : 0n,
      tags,
    }).catch(() => 0n)
    if (added === null && !isNew) this.#giveBack(grant)
    if (!added) spender.pausedUntil = performance.now() + PAUSE_MS
    else {
      grant.freePico += added
      grant.wholePico = grant.freePico + grant.drawnPico
    }
  }

  /** Ends a grant: no further request draws on it, and requests that did get holds of their own. */
  end(grant: Grant): Promise<void> {
    if (grant.ending) return grant.ending
    const { spender } = grant
    if (spender.grant === grant) spender.grant = null
    const ending = endGrantWithRetries(runtime(), grant).finally(() => this.#ending.delete(ending))
    grant.ending = ending
    this.#ending.add(ending)
    return ending
  }

  #endAll(accountId: string): Promise<unknown> {
    const grants = [...this.#live()].filter(({ spender }) => spender.accountId === accountId)
    return Promise.all(grants.map((grant) => this.end(grant)))
  }

  /**
   * Ends a grant that was recalled, has ended in the database, or whose key may no longer be used. Its account gets no other for a while:
   * someone needs the credit.
   */
  #giveBack(grant: Grant): void {
    this.#recalls.pause(grant.spender.accountId)
    void this.end(grant)
  }

  /**
   * Renews the grants of this process, and ends those that are idle, that others need, whose key or account may no longer be used, or that
   * have ended in the database.
   */
  async #beat(): Promise<void> {
    if (this.#isBeating) return
    this.#isBeating = true
    try {
      const now = performance.now()
      this.#forget(now)
      for (const grant of this.#live()) if (now - grant.drawnAt > this.idleMs) void this.end(grant)
      const grants = [...this.#live()]
      if (grants.length === 0) return
      const over = await renewGrants(runtime(), grants)
      for (const grant of grants.filter(({ id }) => over.has(id))) this.#giveBack(grant)
    } catch {
      // The next beat tries again. If none succeeds, the lease ends.
    } finally {
      this.#isBeating = false
    }
  }

  #forget(now: number): void {
    this.#recalls.forget(now)
    for (const [name, { rate, grant, isOpening }] of this.#spenders)
      if (!grant && !isOpening && rate.perSecond(now) === 0) this.#spenders.delete(name)
    if (this.#spenders.size > 0 || !this.#timer) return
    clearInterval(this.#timer)
    this.#timer = null
  }
}
