import type { PoolClient } from "pg"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import { type Pico, pico } from "@/lib/shared/money"
import type { AnswerComparison } from "@/lib/shared/shadows/compare-answers"
import type { SavedCost } from "./shadow-budgets"

/** What is kept of one answered request of a shadow. */
export interface AnsweredShadow {
  comparisons: AnswerComparison[]
  /** The tokens that the candidate counted, and their cost at its price. */
  tokens: number
  costPico: Pico
  /** The time that each model took, without waiting for a place. */
  servedMs: number
  candidateMs: number
}

interface ShadowSums {
  spentPico: bigint
  skipped: number
}

interface AccountSums {
  answered: number
  failures: number
  tokens: number
  servedMs: number
  candidateMs: number
}

interface QuestionSums {
  compared: number
  changed: number
  distance: number
}

/** Sums by key: the shadow's id, then the account's, then the type and number of options. */
class Sums<Of extends { [Name in keyof Of]: number | bigint }> {
  readonly #sums = new Map<string, Of>()

  add(key: readonly (string | number)[], change: Of): void {
    const name = JSON.stringify(key)
    const sums = this.#sums.get(name)
    if (!sums) return void this.#sums.set(name, { ...change })
    for (const field of Object.keys(change) as (keyof Of)[])
      sums[field] = ((sums[field] as number) + (change[field] as number)) as Of[keyof Of]
  }

  /** Returns the keys with their sums, in the order in which every process locks the rows. */
  entries(): [key: (string | number)[], sums: Of][] {
    const ordered = [...this.#sums].toSorted(([a], [b]) => (a < b ? -1 : 1))
    return ordered.map(([name, sums]) => [JSON.parse(name) as (string | number)[], sums])
  }

  get size(): number {
    return this.#sums.size
  }
}

const newSums = () => ({
  shadows: new Sums<ShadowSums>(),
  accounts: new Sums<AccountSums>(),
  questions: new Sums<QuestionSums>(),
})
type AllSums = ReturnType<typeof newSums>

const ADD_TO_SHADOWS = `
  UPDATE shadow s SET spent_pico = s.spent_pico + n.spent, skipped = s.skipped + n.skipped
  FROM unnest($1::uuid[], $2::bigint[], $3::bigint[]) AS n(id, spent, skipped) WHERE s.id = n.id
  RETURNING s.id, n.spent AS added, s.spent_pico`

// The joins leave out shadows that were dropped, and accounts that were closed meanwhile.
const ADD_TO_ACCOUNTS = `
  INSERT INTO shadow_account AS a (shadow_id, account_id, answered, failures, tokens, served_ms, candidate_ms)
  SELECT n.* FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
    AS n(shadow_id, account_id, answered, failures, tokens, served_ms, candidate_ms) JOIN shadow s ON s.id = n.shadow_id
    JOIN account o ON o.id = n.account_id AND o.status <> 'closed'
  ON CONFLICT (shadow_id, account_id) DO UPDATE SET
    answered = a.answered + excluded.answered, failures = a.failures + excluded.failures, tokens = a.tokens + excluded.tokens,
    served_ms = a.served_ms + excluded.served_ms, candidate_ms = a.candidate_ms + excluded.candidate_ms`

const ADD_TO_QUESTIONS = `
  INSERT INTO shadow_question AS q (shadow_id, account_id, type, options, compared, changed, distance)
  SELECT n.* FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::int2[], $5::bigint[], $6::bigint[], $7::float8[])
    AS n(shadow_id, account_id, type, options, compared, changed, distance) JOIN shadow s ON s.id = n.shadow_id
    JOIN account o ON o.id = n.account_id AND o.status <> 'closed'
  ON CONFLICT (shadow_id, account_id, type, options) DO UPDATE SET
    compared = q.compared + excluded.compared, changed = q.changed + excluded.changed, distance = q.distance + excluded.distance`

/** Returns one array for each column: those of the keys, then those of the sums. */
function columnsOf<Of extends object>(entries: [(string | number)[], Of][], names: readonly (keyof Of)[]): unknown[][] {
  const keyLength = entries[0]?.[0].length ?? 0
  const keys = Array.from({ length: keyLength }, (_, i) => entries.map(([key]) => key[i]))
  return [...keys, ...names.map((name) => entries.map(([, sums]) => sums[name]))]
}

async function saveSums(client: PoolClient, sums: AllSums): Promise<SavedCost[]> {
  const { rows } = await client.query<Row<"Shadow", "id" | "spent_pico"> & { added: string }>(
    ADD_TO_SHADOWS,
    columnsOf(sums.shadows.entries(), ["spentPico", "skipped"]),
  )
  const names = ["answered", "failures", "tokens", "servedMs", "candidateMs"] as const
  if (sums.accounts.size > 0) await client.query(ADD_TO_ACCOUNTS, columnsOf(sums.accounts.entries(), names))
  if (sums.questions.size > 0)
    await client.query(ADD_TO_QUESTIONS, columnsOf(sums.questions.entries(), ["compared", "changed", "distance"]))
  return rows.map(({ id, added, spent_pico }) => ({ id, addedPico: pico(added), spentPico: pico(spent_pico) }))
}

/** Sums what this process found out about shadows, until it is saved. Holds numbers only. */
export class ShadowFigures {
  #sums = newSums()

  answered(shadowId: string, accountId: string, answered: AnsweredShadow): void {
    const { comparisons, costPico: spentPico, tokens } = answered
    const [servedMs, candidateMs] = [Math.round(answered.servedMs), Math.round(answered.candidateMs)]
    this.#sums.shadows.add([shadowId], { spentPico, skipped: 0 })
    this.#sums.accounts.add([shadowId, accountId], { answered: 1, failures: 0, tokens, servedMs, candidateMs })
    for (const { type, options, isChanged, distance } of comparisons)
      this.#sums.questions.add([shadowId, accountId, type, options], {
        compared: 1,
        changed: Number(isChanged),
        distance,
      })
  }

  failed(shadowId: string, accountId: string): void {
    this.#sums.shadows.add([shadowId], { spentPico: 0n, skipped: 0 })
    this.#sums.accounts.add([shadowId, accountId], { answered: 0, failures: 1, tokens: 0, servedMs: 0, candidateMs: 0 })
  }

  skipped(shadowId: string): void {
    this.#sums.shadows.add([shadowId], { spentPico: 0n, skipped: 1 })
  }

  /**
   * Adds the sums to the database in one transaction, without a statement when there are none. Returns the costs. After a failure the
   * sums are lost, because the transaction may have been committed.
   */
  async save({ pool }: Runtime): Promise<SavedCost[]> {
    const sums = this.#sums
    if (sums.shadows.size === 0) return []
    this.#sums = newSums()
    return inTransaction(pool, (client) => saveSums(client, sums))
  }
}
