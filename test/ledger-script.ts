import { newId } from "@/lib/server/platform/ids"
import { LedgerModel, type ModelKey, SLACK_PICO } from "./ledger-model"
import type { BudgetSetting, Sequence, Step } from "./ledger-sequences"

export const MODEL_ID = "test-model-1"
/** Also the end of a month. */
const MIDNIGHT = Date.parse("2026-12-01T00:00:00Z")
const DAY_MS = 86_400_000

/** One SQL call that returns a text. `expected` is the result of the call and the ledger's state after it. */
export interface Call {
  sql: string
  expected: string
}

const quoted = (text: string | null): string => (text === null ? "NULL" : `'${text}'`)
const at = (ms: number): string => quoted(new Date(ms).toISOString())

/** SQL that revokes a key. It sets no time before the key's last hold, even if the clock was set back since. */
export const revokeSql = (keyId: string): string =>
  `UPDATE api_key k SET revoked_at = greatest(ledger_now(), (SELECT max(created_at) FROM hold WHERE key_id = k.id)) WHERE id = '${keyId}'`

/**
 * Turns a sequence into SQL calls, each with the result that a `LedgerModel` expects. Creates all ids itself, so that calls
 * can refer to earlier ones before any runs.
 */
export class Script {
  readonly accountId = newId()
  readonly keyIds: string[]
  /** The creator of the first two keys, and that of the third. */
  readonly memberIds = [newId(), newId()].sort()
  readonly calls: Call[] = []
  /** The reference model of the ledger, which receives the same calls. */
  readonly ledger: LedgerModel
  readonly #keys: ModelKey[]
  readonly #holdIds: string[] = []
  readonly #posts: { kind: string; amount: bigint; source: string }[] = []
  readonly #start: number

  constructor({ setup: { opening, daily, lifetime, budgets, startsBefore, expiresAfter }, steps }: Sequence) {
    this.#start = MIDNIGHT - startsBefore
    const expiresAt = expiresAfter === null ? null : this.#start + expiresAfter
    this.#keys = [
      { limit: daily, period: "daily", expiresAt: null },
      { limit: lifetime, period: "lifetime", expiresAt },
      { limit: null, period: null, expiresAt: null },
    ]
    this.keyIds = this.#keys.map(() => newId())
    this.ledger = new LedgerModel(this.#keys, this.#start)
    if (opening > 0n) this.#post("credit", opening)
    for (const budget of budgets) this.#setBudget(budget)
    for (const step of steps) this.#apply(step)
    this.#sweep()
  }

  get setupSql(): string {
    const keys = this.#keys.map(
      (
        one,
        i,
      ) => `INSERT INTO api_key (id, account_id, name, masked, secret_sha256, limit_pico, limit_period, expires_at, created_by)
        VALUES ('${this.keyIds[i]}', '${this.accountId}', 'Key ${i}', '…', sha256('${this.keyIds[i]}'), ${one.limit},
          ${quoted(one.period)}, ${one.expiresAt === null ? "NULL" : at(one.expiresAt)}, '${this.memberIds[i < 2 ? 0 : 1]}')`,
    )
    const users = this.memberIds.map((id) => `INSERT INTO app_user (id, email) VALUES ('${id}', '${id}@example.com')`)
    return [
      `SELECT set_config('test.now', ${at(this.#start)}, true)`,
      `INSERT INTO account (id) VALUES ('${this.accountId}')`,
      ...users,
      ...keys,
    ].join(";")
  }

  #expect(sql: string, answer: string): void {
    const { ledger } = this
    const keys = ledger.keys.map((_, i) => `${ledger.spent(i)}/${ledger.held(i)}`)
    const budgets = ledger.budgets.map((budget) => `${ledger.spentOf(budget)}/${ledger.heldOf(budget)}`)
    const state = [ledger.balance, ledger.held(), ...keys, ...budgets].join(" ")
    this.calls.push({ sql, expected: `${answer} | ${state}` })
  }

  #apply(step: Step): void {
    switch (step.do) {
      case "hold":
        this.#hold(step)
        break
      case "post":
        this.#post(step.kind, step.kind === "debit" ? -step.amount : step.amount)
        break
      case "post again":
        this.#postAgain(step)
        break
      case "clock":
        this.#clock(step.to)
        break
      case "sweep":
        this.#sweep()
        break
      case "revoke":
        this.#revoke(step.key)
        break
      case "set budget":
        this.#setBudget(step.budget)
        break
      case "remove budget":
        this.#removeBudget(step.which)
        break
      default:
        if (this.#holdIds.length > 0) this.#actOnHold(step, step.which % this.#holdIds.length)
    }
  }

  #actOnHold(one: Extract<Step, { do: "hold again" | "capture" | "release" }>, index: number): void {
    const id = this.#holdIds[index]
    const { key: ofKey, price, maxTokens } = this.ledger.hold(index)
    if (one.do === "hold again") this.#expect(this.#placeSql(id ?? "", ofKey, price, maxTokens), "held")
    else if (one.do === "release")
      this.#expect(`SELECT release('${id}', '${one.how}')`, this.ledger.release(index, one.how))
    else {
      const tokens = { none: 0n, some: maxTokens / 2n, all: maxTokens, over: maxTokens + 1n }[one.tokens]
      this.#expect(
        `SELECT state FROM charge_holds('{${id}}', '{${tokens}}', '{1}', ARRAY['{"noul": 1}'::jsonb])`,
        this.ledger.capture(index, tokens),
      )
    }
  }

  #revoke(index: number): void {
    this.ledger.key(index).isRevoked = true
    this.#expect(`${revokeSql(this.keyIds[index] ?? "")} RETURNING 'done'`, "done")
  }

  #setBudget({ of, period, limit }: BudgetSetting): void {
    const memberId = of === "first" ? this.memberIds[0] : of === "second" ? this.memberIds[1] : null
    const keys = of === "first" ? [0, 1] : of === "second" ? [2] : [0, 1, 2]
    const tag = of === "team=a" ? of : null
    this.ledger.setBudget({ name: `${memberId ?? tag ?? ""} ${period}`, limit, period, keys, tag })
    const values = [newId(), this.accountId, memberId ?? null, period, String(limit), tag].map(quoted).join()
    this.#expect(`SELECT (set_budget(${values})).limit_pico`, String(limit))
  }

  #removeBudget(which: number): void {
    const { budgets } = this.ledger
    const [removed] = budgets.splice(which % Math.max(1, budgets.length), 1)
    if (!removed) return
    this.#expect(
      `DELETE FROM budget WHERE account_id = '${this.accountId}' AND concat(subject, ' ', period) = '${removed.name}' RETURNING 'done'`,
      "done",
    )
  }

  #hold(one: Extract<Step, { do: "hold" }>): void {
    const [price, maxTokens] = this.#amountOf(one)
    const id = newId()
    const place = (tokens: bigint, isBound: boolean) => {
      const before = this.ledger.holds.length
      const answer = this.ledger.place(one.key, price, tokens, isBound, one.tag)
      if (this.ledger.holds.length > before) this.#holdIds.push(id)
      this.#expect(this.#placeSql(id, one.key, price, tokens, isBound, one.tag), answer)
      return answer
    }
    const { exact } = one
    if (place(maxTokens, exact !== null) === "near" && exact !== null) place((maxTokens * exact) / 10n, false)
  }

  #amountOf({ key: index, size: { to, ...rest } }: Extract<Step, { do: "hold" }>): [bigint, bigint] {
    if (to === "tokens" && "price" in rest) return [rest.price, rest.maxTokens]
    if (to === "free" && "maxTokens" in rest) return [0n, rest.maxTokens]
    const { available } = this.ledger
    const room = this.ledger.room(index) ?? available
    const fits = to === "room" ? room : to === "slack" ? available + SLACK_PICO : available
    const wanted = fits + ("edge" in rest ? rest.edge : 0n)
    return [1n, wanted < 0n ? 0n : wanted]
  }

  #placeSql(
    id: string,
    index: number,
    price: bigint,
    maxTokens: bigint,
    isBound = false,
    tag: string | null = null,
  ): string {
    return `SELECT concat_ws(' ', outcome, CASE outcome WHEN 'insufficient' THEN concat_ws(' ', required_pico, available_pico)
      WHEN 'key_limit' THEN concat_ws(' ', limit_pico, coalesce((extract(epoch FROM resets_at) * 1000)::bigint::text, 'never')) END)
      FROM place_holds('{${id}}', '{${this.accountId}}', '{${this.keyIds[index]}}', '{${MODEL_ID}}', '{${price}}', '{${maxTokens}}', '{${isBound}}', ARRAY[${quoted(tag)}])`
  }

  #post(kind: string, posted: bigint): void {
    const entry = { kind, amount: posted, source: `${this.accountId}:${this.#posts.length}` }
    this.#posts.push(entry)
    this.ledger.posted.push(posted)
    this.#expect(this.#postSql(entry), "true")
  }

  #postAgain({ which: index, edge: difference }: Extract<Step, { do: "post again" }>): void {
    const entry = this.#posts[index % Math.max(1, this.#posts.length)]
    if (!entry) return
    this.#expect(
      this.#postSql({ ...entry, amount: entry.amount + difference }),
      difference === 0n ? "false" : "refused",
    )
  }

  #postSql(entry: { kind: string; amount: bigint; source: string }): string {
    return `SELECT post_entry('${this.accountId}', '${entry.kind}', ${entry.amount}, '${entry.source}')::text`
  }

  #clock(to: string): void {
    const { ledger } = this
    const midnight = (ledger.today + 1) * DAY_MS
    ledger.now = to.startsWith("midnight") ? midnight - (to === "midnight" ? 0 : 1) : ledger.now + Number(to)
    this.#expect(`SELECT left(set_config('test.now', ${at(ledger.now)}, true), 0)`, "")
  }

  #sweep(): void {
    const held = this.ledger.holds.map((_, index) => index).filter((index) => this.ledger.hold(index).state === "held")
    const ended = held.filter((index) => this.ledger.release(index, "expired") === "expired")
    this.#expect(
      `SELECT count(*) FROM (SELECT release(id, 'expired') AS state FROM hold WHERE account_id = '${this.accountId}'
        AND state = 'held' AND expires_at <= ledger_now()) AS ended WHERE state = 'expired'`,
      String(ended.length),
    )
  }
}
