import type { IncomingMessage, ServerResponse } from "node:http"
import type { WriteFault } from "@/lib/server/ledger/write-check"
import { runtime } from "@/lib/server/platform/runtime"
import { sendJson } from "./respond"

type NotReady = WriteFault | "draining" | "catalogue_outdated"

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    readiness: Readiness
  }
}

/** During an outage, another reason is logged at most this often: a database that is gone is unreachable now and too slow then. */
const LOG_EVERY_MS = 60_000

/** Determines whether this process should receive requests. */
export class Readiness {
  /** True once the process is about to stop. */
  isDraining = false
  #logged: NotReady | null = null
  #loggedAt = 0

  /** Returns why this process should get no requests, or null. Resolves within a few seconds whatever is broken. */
  async findReason(): Promise<NotReady | null> {
    const reason = this.isDraining ? "draining" : await findFault()
    if (reason !== this.#logged && !this.#isLoggedOutage(reason)) this.#log(reason)
    return reason
  }

  /** Returns whether this is only another reason of an outage that was logged within the last minute. */
  #isLoggedOutage(reason: NotReady | null): boolean {
    const isOutage = reason !== null && reason !== "draining" && this.#logged !== null
    return isOutage && performance.now() - this.#loggedAt < LOG_EVERY_MS
  }

  #log(reason: NotReady | null): void {
    const { log, writes } = runtime()
    this.#logged = reason
    this.#loggedAt = performance.now()
    const cause = reason === "draining" || reason === "catalogue_outdated" ? undefined : writes.failure
    if (reason) log.warn("The service is not ready", { event: "readiness.lost", reason, cause })
    else log.info("The service is ready", { event: "readiness.restored" })
  }
}

async function findFault(): Promise<NotReady | null> {
  const { writes, engines, catalogue } = runtime()
  const [fault] = await Promise.all([writes.findFault(), engines.ready()])
  return fault ?? (catalogue.fresh ? null : "catalogue_outdated")
}

/**
 * `GET /readyz`: 503 with the reason while draining, while decisions cannot be charged, or with an outdated catalogue. Otherwise
 * 200. Redis and engines never change the status.
 */
export async function answerReadiness(_request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { readiness, engines, rates } = runtime()
  const reason = await readiness.findReason()
  const body = {
    status: reason ? "unavailable" : "ok",
    reason: reason ?? undefined,
    engine: engines.degraded() ? "degraded" : "ok",
    redis: rates.redis ?? undefined,
  }
  sendJson(response, reason ? 503 : 200, JSON.stringify(body))
}
