import { recordAudit } from "@/lib/server/audit/record-audit"
import { lockAccount } from "@/lib/server/ledger/lock-account"
import { requireRight, type UserActor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import type { LiveRule } from "@/lib/shared/outcomes/live-figures"
import type { OutcomeClaim } from "@/lib/shared/outcomes/outcome-claims"
import type { QuestionTypeName } from "@/questions/question-types"
import { requireKeeping } from "./keep-outcomes"
import type { OutcomeQuestion, SetAlarmsInput } from "./schema"

/** How many questions of an account can have alarms, each by type and model. Their names are kept until the alarms end. */
const MAX_WATCHED = 200

/** A claim that is tested with each new outcome. Times are ISO text. */
export interface OutcomeAlarm {
  claim: OutcomeClaim
  /** Null for calibration. */
  threshold: number | null
  /** The accepted share of wrong answers; null for calibration. */
  target: number | null
  /** How many outcomes it counted: of answers on its side, or of all for calibration. */
  counted: number
  errors: number
  firedAt: string | null
}

/** A question with alarms. */
export interface WatchedQuestion extends OutcomeQuestion {
  setAt: string
  alarms: OutcomeAlarm[]
}

const LIST = `
  SELECT question, type, model_id, claim, threshold, target, trials, errors, set_at, fired_at FROM outcome_alarm
  WHERE account_id = $1 ORDER BY question, type, model_id, claim`

type AlarmColumns = "question" | "model_id" | "threshold" | "target" | "trials" | "errors" | "set_at" | "fired_at"
type AlarmRow = Row<"OutcomeAlarm", AlarmColumns> & { type: QuestionTypeName; claim: OutcomeClaim }

/** Returns the account's questions with alarms, by name, type and pinned model. */
export async function listOutcomeAlarms({ pool }: Runtime, actor: UserActor): Promise<WatchedQuestion[]> {
  requireRight(actor, "usage.read")
  const { rows } = await pool.query<AlarmRow>(LIST, [actor.accountId])
  const questions = new Map<string, WatchedQuestion>()
  for (const row of rows) {
    const { question, type, model_id: model, claim, threshold, target, trials: counted, errors } = row
    const key = JSON.stringify([question, type, model])
    const watched = questions.get(key) ?? { question, type, model, setAt: row.set_at.toISOString(), alarms: [] }
    watched.alarms.push({
      ...{ claim, threshold, target, counted, errors },
      firedAt: row.fired_at?.toISOString() ?? null,
    })
    questions.set(key, watched)
  }
  return [...questions.values()]
}

const DELETE = "DELETE FROM outcome_alarm WHERE account_id = $1 AND question = $2 AND type = $3 AND model_id = $4"
const INSERT = `
  INSERT INTO outcome_alarm (id, account_id, question, type, model_id, claim, threshold, target)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`
const WATCHED = "SELECT DISTINCT question, type, model_id FROM outcome_alarm WHERE account_id = $1"

type Claim = [claim: OutcomeClaim, threshold: number | null, target: number | null]

/** Returns what a rule claims of the answers. That predictions come true is always claimed. */
const claimsOf = ({ from, below, targetAbove, targetBelow }: LiveRule): Claim[] => [
  ...(from === null ? [] : [["above", from, targetAbove] satisfies Claim]),
  ...(below === null ? [] : [["below", below, targetBelow] satisfies Claim]),
  ["calibration", null, null],
]

const keyOf = ({ question, type, model }: OutcomeQuestion): string[] => [question, type, model]

/**
 * Sets the alarms of a question for a rule, and ends earlier ones of it. They count outcomes that come from now on. Needs
 * `outcomes.manage`. Throws `invalid_request` while the account keeps no outcomes.
 */
export async function setOutcomeAlarms(
  { pool }: Runtime,
  actor: UserActor,
  { rule, ...of }: SetAlarmsInput,
): Promise<{ alarms: number }> {
  requireRight(actor, "outcomes.manage")
  const { accountId } = actor
  const claims = claimsOf(rule)
  await inTransaction(pool, async (client) => {
    await lockAccount(client, accountId)
    await requireKeeping(client, accountId)
    await client.query(DELETE, [accountId, ...keyOf(of)])
    const { rowCount } = await client.query(WATCHED, [accountId])
    if ((rowCount ?? 0) >= MAX_WATCHED)
      throw new ServiceError("rate_limited", {
        message: `${MAX_WATCHED} questions can have alarms. End those of another one.`,
      })
    for (const claim of claims) await client.query(INSERT, [newId(), accountId, ...keyOf(of), ...claim])
    await recordAudit(client, actor, { action: "outcomes.set_alarms" })
  })
  return { alarms: claims.length }
}

/** Ends the alarms of a question. Needs `outcomes.manage`. Throws `not_found` where it has none. */
export async function endOutcomeAlarms(
  { pool }: Runtime,
  actor: UserActor,
  of: OutcomeQuestion,
): Promise<{ ended: number }> {
  requireRight(actor, "outcomes.manage")
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(DELETE, [actor.accountId, ...keyOf(of)])
    if (!rowCount) throw new ServiceError("not_found", { message: "This question has no alarms." })
    await recordAudit(client, actor, { action: "outcomes.end_alarms" })
    return { ended: rowCount }
  })
}
