import type { Payer } from "@/lib/server/platform/payer"
import { runtime } from "@/lib/server/platform/runtime"
import { logQuietly } from "./log-quietly"

interface Ended {
  /** As the client got it, `req_…`. */
  requestId: string
  /** The path of a route of ours; without one, nothing of the path is kept. */
  route?: string
  method?: string
  status: number
  code: string
  elapsedMs?: number
  actor?: Payer | null
  /** The pinned model. */
  model?: string | null
  tokens?: number
  cause?: unknown
}

/** Counts a request that has ended and writes its one line into the log. */
export function recordEnd({
  requestId,
  route,
  method,
  status,
  code,
  elapsedMs,
  actor,
  model,
  tokens,
  cause,
}: Ended): void {
  const { metrics } = runtime()
  metrics.ended(route ?? "none", status, code, elapsedMs)
  if (model && tokens !== undefined) metrics.billed(model, tokens)
  const fields = {
    requestId,
    method,
    route,
    status,
    code,
    latencyMs: elapsedMs === undefined ? undefined : Math.round(elapsedMs),
    accountId: actor?.accountId,
    keyId: actor?.keyId,
    model: model ?? undefined,
    tokens,
    cause,
  }
  logQuietly((log) => (status >= 500 ? log.error("request", fields) : log.info("request", fields)))
}
