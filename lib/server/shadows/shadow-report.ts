import { type Actor, requireRight, type UserActor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import type { Runtime } from "@/lib/server/platform/runtime"
import { pico, usd12 } from "@/lib/shared/money"
import type { ShadowQuestions, ShadowReport, ShadowSummary } from "@/lib/shared/shadows/shadow-report"
import { wilsonInterval } from "@/lib/shared/statistics/binomial"
import type { QuestionTypeName } from "@/questions/question-types"

const LATEST = `
  SELECT id, alias_id, from_id, to_id, share, budget_pico, spent_pico, skipped, started_at, until_at,
    CASE WHEN until_at <= now() THEN coalesce(ended_at, until_at) ELSE ended_at END AS ended_at
  FROM shadow WHERE alias_id = $1 ORDER BY started_at DESC, id DESC LIMIT 1`

type ShadowColumns =
  | "id"
  | "alias_id"
  | "from_id"
  | "to_id"
  | "share"
  | "budget_pico"
  | "spent_pico"
  | "skipped"
  | "started_at"
  | "until_at"
  | "ended_at"
type ShadowRow = Row<"Shadow", ShadowColumns>

const SUMS = `
  SELECT count(*)::int AS accounts, coalesce(sum(answered), 0)::float8 AS answers, coalesce(sum(failures), 0)::float8 AS failed,
    coalesce(sum(tokens), 0)::float8 AS counted, coalesce(sum(served_ms), 0)::float8 AS served,
    coalesce(sum(candidate_ms), 0)::float8 AS candidate
  FROM shadow_account WHERE shadow_id = $1 AND ($2::uuid IS NULL OR account_id = $2)`

interface SumsRow {
  accounts: number
  answers: number
  failed: number
  counted: number
  served: number
  candidate: number
}

const QUESTIONS = `
  SELECT type, options, sum(compared)::float8 AS pairs, sum(changed)::float8 AS changes, sum(distance)::float8 AS distances
  FROM shadow_question WHERE shadow_id = $1 AND ($2::uuid IS NULL OR account_id = $2)
  GROUP BY type, options ORDER BY type, options`

type QuestionsRow = Row<"ShadowQuestion", "options"> & {
  type: QuestionTypeName
  pairs: number
  changes: number
  distances: number
}

const toQuestions = ({ type, options, pairs, changes, distances }: QuestionsRow): ShadowQuestions => ({
  ...{ type, options, compared: pairs, changed: changes },
  interval: wilsonInterval(changes, pairs) ?? { low: 0, high: 1 },
  meanDistance: distances / pairs,
})

/** Returns the figures of a shadow and how many accounts they are from. `accountId` is null for all accounts. */
async function readFigures(
  { pool }: Runtime,
  row: ShadowRow,
  accountId: string | null,
): Promise<{ summary: ShadowSummary; accounts: number }> {
  const [{ rows: sums }, { rows: questions }] = await Promise.all([
    pool.query<SumsRow>(SUMS, [row.id, accountId]),
    pool.query<QuestionsRow>(QUESTIONS, [row.id, accountId]),
  ])
  const { accounts = 0, answers = 0, failed = 0, counted = 0, served = 0, candidate = 0 } = sums[0] ?? {}
  const summary: ShadowSummary = {
    alias: row.alias_id,
    from: row.from_id,
    to: row.to_id,
    share: row.share,
    startedAt: row.started_at.toISOString(),
    until: row.until_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
    ...{ answered: answers, failed, tokens: counted },
    servedMs: answers === 0 ? null : served / answers,
    candidateMs: answers === 0 ? null : candidate / answers,
    questions: questions.map(toQuestions),
  }
  return { summary, accounts }
}

async function findLatest({ pool }: Runtime, aliasId: string): Promise<ShadowRow | null> {
  const { rows } = await pool.query<ShadowRow>(LATEST, [aliasId])
  return rows[0] ?? null
}

/** Returns the alias's latest shadow with the figures of all accounts. Null without one. For the operator. */
export async function findShadow(
  runtime: Runtime,
  actor: Actor,
  { aliasId }: { aliasId: string },
): Promise<ShadowReport | null> {
  requireRight(actor, "service.read")
  const row = await findLatest(runtime, aliasId)
  if (!row) return null
  const { summary, accounts } = await readFigures(runtime, row, null)
  return {
    ...summary,
    accounts,
    skipped: Number(row.skipped),
    spentUsd: usd12(pico(row.spent_pico)),
    budgetUsd: row.budget_pico === null ? null : usd12(pico(row.budget_pico)),
  }
}

/** Returns the alias's latest shadow with the figures of the actor's account. Null without one. Needs `usage.read`. */
export async function findOwnShadow(
  runtime: Runtime,
  actor: UserActor,
  { aliasId }: { aliasId: string },
): Promise<ShadowSummary | null> {
  requireRight(actor, "usage.read")
  const row = await findLatest(runtime, aliasId)
  return row && (await readFigures(runtime, row, actor.accountId)).summary
}
