import { requireRight, type UserActor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction, LIMIT_STATEMENTS } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import { resolveRange } from "@/lib/server/usage/range"
import { ALL_KEYS } from "@/lib/server/usage/spent"
import type { LiveOutcome } from "@/lib/shared/outcomes/live-figures"
import type { QuestionTypeName } from "@/questions/question-types"
import { happened } from "./happened"
import type { OutcomeQuestion, ReadOutcomesInput } from "./schema"

const BEGIN = `BEGIN READ ONLY; ${LIMIT_STATEMENTS}`
/** Their figures take a worker about 0.1 s, and pages wait for it one after another. */
const MAX_READ = 20_000
const MAX_QUESTIONS = 200

const QUESTIONS = `
  SELECT question, type, model_id, count(*)::int AS outcomes FROM outcome
  WHERE account_id = $1 AND known_at >= $2 AND known_at < $3
  GROUP BY question, type, model_id ORDER BY outcomes DESC, question, type, model_id LIMIT ${MAX_QUESTIONS}`

/** Returns the questions of the account that have outcomes in a range, by type and pinned model, those with most outcomes first. */
export async function listOutcomeQuestions(
  { pool }: Runtime,
  actor: UserActor,
  { range }: Pick<ReadOutcomesInput, "range">,
): Promise<(OutcomeQuestion & { outcomes: number })[]> {
  requireRight(actor, "usage.read")
  const { from, to } = resolveRange(range, new Date())
  const { rows } = await inTransaction(
    pool,
    (client) =>
      client.query<Row<"Outcome", "question" | "model_id"> & { type: QuestionTypeName; outcomes: number }>(QUESTIONS, [
        actor.accountId,
        from,
        to,
      ]),
    BEGIN,
  )
  return rows.map(({ question, type, model_id, outcomes }) => ({ question, type, model: model_id, outcomes }))
}

const OUTCOMES = `
  SELECT predicted, score, outcome, sampled_share, known_at FROM outcome
  WHERE account_id = $1 AND question = $2 AND type = $3 AND model_id = $4 AND known_at >= $5 AND known_at < $6
  ORDER BY stored_at DESC, request_id DESC LIMIT ${MAX_READ + 1}`

// Names of questions are not kept with charges, so answers of all questions of the type are counted.
const ANSWERS = `
  SELECT coalesce(sum((question_counts->>$2::text)::bigint), 0)::float8 AS answers FROM usage_sum
  WHERE account_id = $1 AND unit = 'day' AND key_id = '${ALL_KEYS}' AND model_id = $3 AND start >= $4 AND start < $5`

type OutcomeRow = Row<"Outcome", "predicted" | "score" | "outcome" | "sampled_share" | "known_at">

export interface ReadOutcomes {
  /** In the order in which they were stored. */
  outcomes: LiveOutcome[]
  /** Whether there are more, older ones. */
  isCut: boolean
  /** How many questions of this type the model answered in the range, whatever their names. */
  answers: number
}

/** Returns the newest outcomes of a question in a range, as the figures take them. */
export async function readOutcomes(
  { pool }: Runtime,
  actor: UserActor,
  { range, question, type, model }: ReadOutcomesInput,
): Promise<ReadOutcomes> {
  requireRight(actor, "usage.read")
  const { accountId } = actor
  const { from, to } = resolveRange(range, new Date())
  return inTransaction(
    pool,
    async (client) => {
      const { rows } = await client.query<OutcomeRow>(OUTCOMES, [accountId, question, type, model, from, to])
      const counted = await client.query<{ answers: number }>(ANSWERS, [accountId, type, model, from, to])
      const outcomes = rows
        .slice(0, MAX_READ)
        .reverse()
        .map((row) => ({
          predicted: row.predicted,
          happened: happened(row),
          atMs: row.known_at.getTime(),
          sampledShare: row.sampled_share,
        }))
      return { outcomes, isCut: rows.length > MAX_READ, answers: counted.rows[0]?.answers ?? 0 }
    },
    BEGIN,
  )
}
