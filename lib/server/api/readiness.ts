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

/** Determines whether this process should receive requests. */
export class Readiness {
  /** True once the process is about to stop. */
  isDraining = false
  #logged: NotReady | null = null

  /** Returns why this process should get no requests, or null. Resolves within a few seconds whatever is broken. */
  async findReason(): Promise<NotReady | null> {
    const reason = this.isDraining ? "draining" : await findFault()
    if (reason !== this.#logged) this.#log(reason)
    this.#logged = reason
    return reason
  }

  #log(reason: NotReady | null): void {
    const { log, writes } = runtime()
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
