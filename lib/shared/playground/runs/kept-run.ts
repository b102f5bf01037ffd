import { z } from "zod"
import { checkRequest } from "@/lib/shared/decisions/check-request"
import type { ModelChoice } from "../model-choice"
import { type Exchange, type Outcome, readOutcome } from "../read-outcome"

/** One run as the browser keeps it: what went over the wire, and under which name it was spent. */
export const KeptRun = z.object({
  id: z.string(),
  accountId: z.string(),
  /** ISO text. */
  at: z.string(),
  spentAs: z.string(),
  requestText: z.string(),
  status: z.number(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  responseText: z.string(),
  latencyMs: z.number(),
})
export type KeptRun = z.infer<typeof KeptRun>

/** How many runs an account's browser keeps. */
export const MOST_RUNS = 20

/** A run to keep, of an exchange that has just ended. */
export function keptRun(exchange: Exchange, accountId: string, spentAs: string): KeptRun {
  const { requestText, status, headers, responseText, latencyMs } = exchange
  const at = new Date().toISOString()
  // `crypto.randomUUID` is missing on plain http, where a console on a local network may be.
  const id = `${at} ${Math.random().toString(36).slice(2)}`
  return { id, accountId, at, spentAs, requestText, status, headers, responseText, latencyMs }
}

/** A kept run as it looked when it ended; null when its request can no longer be read. */
export function outcomeOf(run: KeptRun, models: ModelChoice[]): Outcome | null {
  const checked = checkRequest(new TextEncoder().encode(run.requestText))
  return checked.ok ? readOutcome({ ...run, request: checked.request }, models) : null
}
