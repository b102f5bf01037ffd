import { membersOf, rootOf, sourceOf } from "@/lib/shared/json-source/json-parts"
import { asText } from "@/lib/shared/json-source/text-or-json"
import { type Pico, parseUsd, pico, usd12 } from "@/lib/shared/money"
import { checkForm } from "@/lib/shared/request-form/check-form"
import type { RequestForm } from "@/lib/shared/request-form/request-form"
import { type EvaluationRun, NO_TOTALS, type RowResult, type RunTotals } from "../model/evaluation-run"
import { findRun, resultsOf, saveRun } from "../model/evaluation-store"
import type { QueuedRow } from "./runner"
import type { SharedRequest } from "./send-row"
import { withSetLock } from "./set-lock"

/** Which rows a start sends: those not settled, the failed ones, or those that may have been charged. */
export type Sending = "rest" | "failed" | "in_doubt"

/** Returns a fresh `Idempotency-Key`. */
export const newAttempt = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")
}

export function totalsOf(results: readonly RowResult[]): RunTotals {
  let cost = pico(0)
  const totals = { ...NO_TOTALS }
  for (const result of results) {
    if (result.status === "failed") totals.failed++
    if (result.status === "in_doubt") totals.inDoubt++
    if (result.status !== "answered") continue
    totals.answered++
    totals.tokens += result.tokens
    cost = pico(cost + (parseUsd(result.costUsd ?? "0") ?? 0n))
  }
  return { ...totals, costUsd: usd12(cost) }
}

/** The server charges an `Idempotency-Key` once within 24 hours. An hour is left for clocks that differ. */
const SAFE_FOR_MS = 23 * 60 * 60_000

/**
 * Returns the rows to send, in the order of the file. Rows in doubt keep their attempt, so that one that was charged is not
 * charged again. `rest` includes them only while the server still knows their attempt.
 */
export function queueOf(
  plan: readonly number[],
  results: readonly RowResult[],
  sending: Sending,
  now = Date.now(),
): QueuedRow[] {
  const byRow = new Map(results.map((result) => [result.row, result]))
  return plan.flatMap((row): QueuedRow[] => {
    const result = byRow.get(row)
    const fresh = { row, attempt: newAttempt(), sentAt: null }
    if (!result || result.status === "waiting") return sending === "rest" ? [{ ...fresh, former: null }] : []
    if (result.status === "failed") return sending === "failed" ? [{ ...fresh, former: "failed" }] : []
    if (result.status !== "in_doubt") return []
    const { attempt, sentAt } = result
    const isSafe = now - Date.parse(sentAt) < SAFE_FOR_MS
    const isWanted = sending === "in_doubt" || (sending === "rest" && isSafe)
    return isWanted ? [{ row, attempt, sentAt, former: "in_doubt" }] : []
  })
}

/**
 * Marks rows that were under way when a tab closed as in doubt, counts the totals again, and pauses a running run. No tab may be
 * running the set.
 */
export async function markInterrupted(run: EvaluationRun): Promise<EvaluationRun> {
  const results = await resultsOf(run.id)
  const lost = results.flatMap((result): RowResult[] =>
    result.status === "sent" ? [{ ...result, status: "in_doubt" }] : [],
  )
  const byRow = new Map([...results, ...lost].map((result) => [result.row, result]))
  const status = run.status === "running" ? { status: "paused" as const, pause: { kind: "interrupted" as const } } : {}
  const marked: EvaluationRun = { ...run, ...status, totals: totalsOf([...byRow.values()]) }
  await saveRun(marked, lost)
  return marked
}

/** Returns a run as it is stored now; null when it was removed. One whose tab was closed is marked as interrupted first. */
export async function refreshRun(run: EvaluationRun): Promise<EvaluationRun | null> {
  if (run.status === "running")
    await withSetLock(run.setId, async () => {
      const current = await findRun(run.id)
      if (current?.status === "running") await markInterrupted(current)
    })
  return findRun(run.id)
}

/** Returns everything but the state of a run's requests; null when its questions are invalid. */
export function sharedRequestOf(
  form: RequestForm,
  pinnedId: string,
  pricePerMillionUsd: string | null,
): SharedRequest | null {
  const checked = checkForm({ ...form, model: pinnedId, modelSpelled: undefined, state: asText("s") })
  if (!checked.ok) return null
  const { requestText, request } = checked
  const questions = membersOf(requestText, rootOf(requestText))?.find(({ name }) => name === "questions")
  if (!questions) return null
  const questionsJson = sourceOf(requestText, questions.value)
  return { pinnedId, keyId: form.keyId, pricePerMillionUsd, questions: request.questions, questionsJson }
}

/** Returns the maximum number of tokens that a row can be billed: one for each byte of its texts and one for each text. */
export function maxTokens({ questionsJson }: SharedRequest, state: string): number {
  const bytes = (text: string) => new TextEncoder().encode(text).length
  // The quotes around each text in the JSON of the questions count for the text's own token.
  return bytes(state) + 1 + bytes(questionsJson)
}

export const maxCost = (shared: SharedRequest, state: string, pricePico: Pico): Pico =>
  pico(BigInt(maxTokens(shared, state)) * pricePico)
