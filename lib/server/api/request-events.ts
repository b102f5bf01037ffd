import type { Pool } from "pg"
import type { Payer } from "@/lib/server/platform/actor"
import type { Log } from "@/lib/server/platform/log"

/** A request that did not end in a 200 after its key was accepted. It holds none of the request's content. */
export interface RequestEvent {
  requestId: string
  actor: Payer
  model: string | null
  status: number
  code: string
  latencyMs: number
  at: Date
}

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    events: RequestEvents
  }
}

/** Collects events and writes them in batches, so that a refusal costs no round trip. A crash may lose the last second. */
export interface RequestEvents {
  add(event: RequestEvent): void
  /** Writes the collected events. If that fails, the events are lost and their number is logged. */
  flush(): Promise<void>
}

/** The most events that are kept in memory. Further events are dropped until the next flush. */
const MAX_WAITING = 50_000

export function createRequestEvents(pool: Pool, log: Log): RequestEvents {
  let waiting: RequestEvent[] = []
  const write = (batch: RequestEvent[]) =>
    pool.query(
      `INSERT INTO request_event (id, account_id, key_id, model_id, status, code, latency_ms, created_at)
       SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::int[], $6::text[], $7::int[], $8::timestamptz[])
       ON CONFLICT DO NOTHING`,
      [
        batch.map((event) => event.requestId),
        batch.map((event) => event.actor.accountId),
        batch.map((event) => event.actor.keyId),
        batch.map((event) => event.model),
        batch.map((event) => event.status),
        batch.map((event) => event.code),
        batch.map((event) => event.latencyMs),
        batch.map((event) => event.at),
      ],
    )
  return {
    add(event) {
      if (waiting.length < MAX_WAITING) waiting.push(event)
    },
    async flush() {
      const batch = waiting
      if (batch.length === 0) return
      waiting = []
      await write(batch).catch((cause) =>
        log.error("Request events were lost", { event: "request_events.lost", count: batch.length, cause }),
      )
    },
  }
}
