import type { ClientBase } from "pg"
import { expect } from "vitest"
import { newId } from "@/lib/server/platform/ids"
import type { GrantHistory, GrantStep } from "./grant-histories"
import { MODEL_ID, revokeSql } from "./ledger-script"

const START = Date.parse("2026-11-20T23:58:00Z")
const DAY_MS = 86_400_000

/** Sends one history's calls. Remembers every id, so that later calls can repeat earlier ones. */
export class GrantPlayer {
  readonly accountId = newId()
  readonly keyIds = [newId(), newId(), newId()]
  readonly grants: { id: string; key: number; tag: string | null }[] = []
  readonly requests: string[] = []
  /** The amount of each request that a function reported as captured, in pico-USD. */
  readonly charged = new Map<string, bigint>()
  debits = 0n
  /** When each key was revoked. A process draws on no grant of it from then on, but may charge what was drawn before. */
  readonly #revokedAt = new Map<number, number>()
  #now = START
  /** Created the second and the third key. */
  readonly #memberId = newId()
  #budgets: Pick<GrantHistory, "budget" | "tagBudget" | "memberBudget"> = {
    budget: null,
    tagBudget: null,
    memberBudget: null,
  }

  constructor(private readonly client: ClientBase) {}

  async setUp({ balance, limit, ...budgets }: Omit<GrantHistory, "steps">): Promise<void> {
    this.#budgets = budgets
    await this.client.query("BEGIN")
    await this.#setClock()
    await this.client.query("INSERT INTO account (id) VALUES ($1)", [this.accountId])
    const id = this.#memberId
    await this.client.query("INSERT INTO app_user (id, email) VALUES ($1, $2)", [id, `${id}@example.com`])
    await this.client.query("SELECT post_entry($1, 'credit', $2, $3)", [this.accountId, balance, newId()])
    for (const [i, period] of ["daily", "lifetime", null].entries())
      await this.client.query(
        `INSERT INTO api_key (id, account_id, name, masked, secret_sha256, limit_pico, limit_period, created_by)
         VALUES ($1::uuid, $2, 'Key', '…', sha256(uuid_send($1::uuid)), $3, $4, $5)`,
        [this.keyIds[i], this.accountId, period && limit, period, i === 0 ? null : this.#memberId],
      )
    await this.#setBudgets()
  }

  /** Sets both budgets, or replaces them by budgets that count what was charged and reserved before. */
  async #setBudgets(): Promise<void> {
    await this.client.query("DELETE FROM budget WHERE account_id = $1", [this.accountId])
    const set = "SELECT set_budget($1, $2, $3, 'monthly', $4)"
    const { budget, tagBudget, memberBudget } = this.#budgets
    if (budget) await this.client.query(set, [newId(), this.accountId, null, budget])
    if (tagBudget)
      await this.client.query("SELECT set_budget($1, $2, NULL, 'monthly', $3, 'team=a')", [
        newId(),
        this.accountId,
        tagBudget,
      ])
    if (memberBudget) await this.client.query(set, [newId(), this.accountId, this.#memberId, memberBudget])
  }

  async take(one: GrantStep): Promise<void> {
    if (one.do === "open") {
      const grant = { id: newId(), key: one.key, tag: one.tag }
      this.grants.push(grant)
      await this.#extend(grant, true, one.wanted, one.smallest)
    } else if (one.do === "extend") {
      const grant = this.#grant(one.which)
      if (grant) await this.#extend(grant, false, one.wanted, 1n)
    } else if (one.do === "charge") await this.#charge(one.items)
    else if (one.do === "give up") {
      const id = this.#request(one.request)
      const values = [id, this.#grant(one.which)?.id ?? newId(), MODEL_ID, one.price, one.maxTokens]
      const { rows } = await this.client.query("SELECT release_drawn($1, $2, $3, $4, $5) AS state", values)
      expect(rows[0].state === "captured").toBe(this.charged.has(id))
    } else if (one.do === "end") {
      const items = one.items.map((item) => ({ ...item, id: this.#request(item.request) }))
      const unique = items.filter(({ id }, i) => items.findIndex((other) => other.id === id) === i)
      const grant = this.#grant(one.which)
      await this.#tried("SELECT end_grant($1, $2, $3, $4, $5, $6)", [
        grant?.id ?? newId(),
        unique.map(({ id }) => id),
        unique.map(() => MODEL_ID),
        unique.map((item) => item.price),
        unique.map((item) => item.maxTokens),
        unique.map(() => this.#ageMs(grant)),
      ])
    } else if (one.do === "hold") {
      const values = [this.#request(null), this.accountId, this.keyIds[one.key], MODEL_ID, one.price, one.maxTokens]
      const arrays = [...values, false, one.tag].map((value) => [value])
      await this.client.query("SELECT * FROM admit_holds($1, $2, $3, $4, $5, $6, $7, $8)", arrays)
    } else await this.#takeOther(one)
  }

  async #takeOther(one: GrantStep): Promise<void> {
    if (one.do === "capture") {
      const id = this.#request(one.request)
      const values = [[id], [one.used]]
      const sql = "SELECT state FROM charge_holds($1, $2, '{1}', ARRAY['{}']::jsonb[])"
      const { rows } = await this.client.query(sql, values)
      if (rows[0].state === "captured") await this.#note(id)
    } else if (one.do === "release")
      await this.client.query("SELECT release($1, 'voided')", [this.#request(one.request)])
    else if (one.do === "revoke") {
      await this.client.query(revokeSql(this.keyIds[one.key] ?? ""))
      this.#revokedAt.set(one.key, this.#now)
    } else if (one.do === "debit") {
      this.debits += one.amount
      await this.client.query("SELECT post_entry($1, 'debit', $2, $3)", [this.accountId, -one.amount, newId()])
    } else if (one.do === "clock") {
      this.#now += one.ms
      await this.#setClock()
    } else if (one.do === "set budgets") await this.#setBudgets()
    else await this.sweep()
  }

  async sweep(): Promise<void> {
    await this.client.query(
      "SELECT release(id, 'expired') FROM hold WHERE account_id = $1 AND state = 'held' AND expires_at <= ledger_now()",
      [this.accountId],
    )
  }

  async endEverything(): Promise<void> {
    this.#now += DAY_MS
    await this.#setClock()
    await this.sweep()
  }

  #grant(index: number) {
    return this.grants[index % Math.max(1, this.grants.length)]
  }

  /** Returns how long ago a request drew on a grant, at the latest when its key was revoked. */
  #ageMs(grant: { key: number } | undefined): number {
    const revokedAt = grant && this.#revokedAt.get(grant.key)
    return revokedAt === undefined ? 0 : Math.max(0, this.#now - revokedAt)
  }

  #request(index: number | null): string {
    const known = index === null ? undefined : this.requests[index % Math.max(1, this.requests.length)]
    if (known) return known
    const id = newId()
    this.requests.push(id)
    return id
  }

  async #setClock(): Promise<void> {
    await this.client.query("SELECT set_config('test.now', $1, true)", [new Date(this.#now).toISOString()])
  }

  /** Runs a call that may refuse its input, and rolls it back when it does. */
  async #tried(sql: string, values: unknown[]): Promise<void> {
    await this.client.query("SAVEPOINT before")
    await this.client.query(sql, values).catch(() => this.client.query("ROLLBACK TO before"))
  }

  async #extend(grant: GrantPlayer["grants"][number], isNew: boolean, wanted: bigint, smallest: bigint): Promise<void> {
    const room = async () => {
      const { rows } = await this.client.query(
        `SELECT least(a.balance_pico - a.held_pico, k.limit_pico - spent_in_period(k, day_at(a, ledger_now())) - k.held_pico,
             (SELECT min(b.limit_pico - spent_in_budget(b, day_at(a, ledger_now())) - b.held_pico) FROM budget b
               WHERE b.account_id = a.id AND (b.user_id IS NULL OR b.user_id = k.created_by)
                 AND (b.tag IS NULL OR b.tag = ANY(string_to_array($4, ','))))) AS room,
           coalesce((SELECT amount_pico FROM hold WHERE id = $3 AND state = 'held'), 0) AS had
         FROM account a JOIN api_key k ON k.account_id = a.id WHERE a.id = $1 AND k.id = $2`,
        [this.accountId, this.keyIds[grant.key], grant.id, grant.tag],
      )
      return { left: BigInt(rows[0].room) + BigInt(rows[0].had), had: BigInt(rows[0].had) }
    }
    const before = await room()
    const { rows } = await this.client.query("SELECT extend_grant($1, $2, $3, $4, $5, $6, $7, 0, $8) AS added", [
      grant.id,
      isNew,
      this.accountId,
      this.keyIds[grant.key],
      MODEL_ID,
      wanted,
      smallest,
      grant.tag,
    ])
    if (!rows[0].added || rows[0].added === "0") return
    const { had } = await room()
    expect(had).toBe(before.had + BigInt(rows[0].added))
    expect(50n * had).toBeLessThanOrEqual(before.left)
  }

  async #charge(items: Extract<GrantStep, { do: "charge" }>["items"]): Promise<void> {
    const all = items.map((item) => ({
      ...item,
      id: this.#request(item.request),
      grant: this.#grant(item.which)?.id ?? newId(),
      ageMs: this.#ageMs(this.#grant(item.which)),
    }))
    const { rows } = await this.client.query<{ state: string }>(
      "SELECT state FROM charge_drawn($1, $2, $3, $4, $5, $6, $7, $8, $9)",
      [
        all.map(({ grant }) => grant),
        all.map(({ id }) => id),
        all.map(() => MODEL_ID),
        all.map((item) => item.price),
        all.map((item) => item.maxTokens),
        all.map((item) => item.used),
        all.map(() => 1),
        all.map(() => "{}"),
        all.map(({ ageMs }) => ageMs),
      ],
    )
    expect(rows).toHaveLength(all.length)
    for (const [i, { id }] of all.entries()) {
      if (rows[i]?.state === "captured") await this.#note(id)
      // Once charged, a request stays charged, and no call says otherwise.
      else expect(this.charged.has(id)).toBe(false)
    }
  }

  /** Expects that a charged request has one entry, whose amount never changes. */
  async #note(id: string): Promise<void> {
    const { rows } = await this.client.query("SELECT amount_pico FROM ledger_entry WHERE hold_id = $1", [id])
    expect(rows).toHaveLength(1)
    const amount = -BigInt(rows[0].amount_pico)
    expect(this.charged.get(id) ?? amount).toBe(amount)
    this.charged.set(id, amount)
  }

  async money(): Promise<{ spent: bigint; balance: bigint; held: bigint }> {
    const { rows } = await this.client.query(
      `SELECT balance_pico AS balance, held_pico AS held, (SELECT coalesce(-sum(amount_pico), 0) FROM ledger_entry
         WHERE account_id = a.id AND kind = 'charge') AS spent FROM account a WHERE id = $1`,
      [this.accountId],
    )
    const { balance, held, spent } = rows[0]
    return { balance: BigInt(balance), held: BigInt(held), spent: BigInt(spent) }
  }
}
