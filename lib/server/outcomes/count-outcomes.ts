import type { PoolClient } from "pg"
import { queueEvent } from "@/lib/server/events/queue-event"
import { queueMail } from "@/lib/server/mail/queue-mail"
import type { Present, Row } from "@/lib/server/platform/db/row"
import { publicId } from "@/lib/server/platform/ids"
import type { OutcomeClaim } from "@/lib/shared/outcomes/outcome-claims"
import { isOnSide, isWrong } from "@/lib/shared/outcomes/sides"
import { CalibrationWatch } from "@/lib/shared/statistics/calibration-watch"
import { ErrorWatch } from "@/lib/shared/statistics/error-watch"
import type { QuestionTypeName } from "@/questions/question-types"

/** What alarms count of an outcome. */
export interface Counted {
  question: string
  type: QuestionTypeName
  model: string
  /** The predicted probability of the event, and whether it happened. */
  predicted: number
  happened: boolean
}

/** Requests that store outcomes of the same questions lock their alarms in the same order. */
const ALARMS = `
  SELECT id, question, type, model_id, claim, threshold, target, trials, errors, wealth, fired_at FROM outcome_alarm
  WHERE account_id = $1
    AND (question, type, model_id) IN (SELECT * FROM unnest($2::text[], $3::text[], $4::text[]))
  ORDER BY id FOR UPDATE`

type AlarmColumns = "id" | "question" | "model_id" | "trials" | "errors" | "wealth" | "fired_at"
type AlarmRow = Row<"OutcomeAlarm", AlarmColumns> & { type: QuestionTypeName } & (
    | (Present<Row<"OutcomeAlarm", "threshold" | "target">> & { claim: "above" | "below" })
    | { claim: "calibration"; threshold: null; target: null }
  )

const SAVE = `
  UPDATE outcome_alarm a SET trials = n.trials, errors = n.errors, wealth = n.wealth,
    fired_at = CASE WHEN n."isFired" THEN now() ELSE a.fired_at END
  FROM jsonb_to_recordset($1::jsonb) AS n(id uuid, trials int, errors int, wealth float8[], "isFired" boolean)
  WHERE a.id = n.id`

interface NextState {
  id: string
  trials: number
  errors: number
  wealth: number[]
  /** Whether the alarm fired now, for the first time. */
  isFired: boolean
}

/** Returns the state of an alarm after outcomes of its question, in their order. */
function next(alarm: AlarmRow, outcomes: readonly Counted[]): NextState {
  const saved = alarm.wealth.length === 0 ? undefined : { trials: alarm.trials, wealth: alarm.wealth }
  let errors = alarm.errors
  const stateOf = (watch: ErrorWatch | CalibrationWatch): NextState => ({
    ...{ id: alarm.id, errors, ...watch.saved },
    isFired: alarm.fired_at === null && watch.alarmAt !== null,
  })
  if (alarm.claim === "calibration") {
    const watch = new CalibrationWatch(saved)
    for (const { predicted, happened } of outcomes) watch.add(predicted, happened)
    return stateOf(watch)
  }
  const { claim: side, threshold, target } = alarm
  const watch = new ErrorWatch(target, saved)
  for (const { predicted, happened } of outcomes) {
    if (!isOnSide(side, predicted, threshold)) continue
    watch.add(isWrong(side, happened))
    errors += Number(isWrong(side, happened))
  }
  return stateOf(watch)
}

/** Queues the mails and messages of an alarm that fired. They name no question, because a user wrote that. */
async function report(client: PoolClient, accountId: string, alarm: AlarmRow, { trials, errors }: NextState) {
  const { id, claim, type, model_id: model, target } = alarm
  const source = `outcome_alarm:${id}`
  await queueMail(client, { accountId, kind: "outcome_alarm", source, facts: { claim, type, model, target } })
  await queueEvent(client, {
    ...{ accountId, type: "outcomes.alarm", source },
    data: {
      ...{ account_id: publicId("acc", accountId), model, question_type: type, claim, target, counted: trials },
      errors: claim === "calibration" ? null : errors,
    },
  })
}

/**
 * Adds new outcomes to the account's alarms, in the transaction that stores them, so that each counts once. An alarm that fires for the
 * first time is mailed, and sent to webhooks. Returns what those tested, for metrics.
 */
export async function countOutcomes(
  client: PoolClient,
  accountId: string,
  outcomes: readonly Counted[],
): Promise<OutcomeClaim[]> {
  if (outcomes.length === 0) return []
  const byQuestion = new Map<string, Counted[]>()
  for (const each of outcomes) {
    const key = JSON.stringify([each.question, each.type, each.model])
    const same = byQuestion.get(key)
    if (same) same.push(each)
    else byQuestion.set(key, [each])
  }
  const firsts = [...byQuestion.values()].flatMap(([first]) => first ?? [])
  const keys = [firsts.map((each) => each.question), firsts.map((each) => each.type), firsts.map((each) => each.model)]
  const { rows } = await client.query<AlarmRow>(ALARMS, [accountId, ...keys])
  if (rows.length === 0) return []
  const states = rows.map((row) => {
    const own = byQuestion.get(JSON.stringify([row.question, row.type, row.model_id])) ?? []
    return { row, state: next(row, own) }
  })
  await client.query(SAVE, [JSON.stringify(states.map(({ state }) => state))])
  const fired = states.filter(({ state }) => state.isFired)
  for (const { row, state } of fired) await report(client, accountId, row, state)
  return fired.map(({ row }) => row.claim)
}
