import type { Pool } from "pg"
import type { Payer } from "@/lib/server/platform/actor"
import type { Log } from "@/lib/server/platform/log"
import type { Metrics } from "@/lib/server/platform/metrics"
import { HOUR_MS } from "@/lib/shared/time"
import { type RequestDetails, writeDetails } from "./request-details"

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
  /** Returns whether the event gets a row. */
  add(event: RequestEvent): boolean
  /** Collects what is known of a request that has a row or a charge. */
  addDetails(details: RequestDetails): void
  /** Writes what was collected. If that fails, it is lost and its number is logged. */
  flush(): Promise<void>
}

/** How many events of one key and of one account are kept as rows in a second. Further ones are only counted. */
const ROWS_PER_SECOND = { key: 10, account: 20 }

/** The most rows that are kept in memory. Further events are only counted until the next flush. */
const MAX_WAITING = 50_000

/** Returns a function that decides whether an event gets a row of its own. */
function rowLimit(): (event: RequestEvent) => boolean {
  let second = 0
  let counts = new Map<string, number>()
  const add = (id: string): number => {
    const count = (counts.get(id) ?? 0) + 1
    counts.set(id, count)
    return count
  }
  return ({ actor, at }) => {
    const current = Math.floor(at.getTime() / 1_000)
    if (current !== second) {
      second = current
      counts = new Map()
    }
    return add(actor.keyId) <= ROWS_PER_SECOND.key && add(actor.accountId) <= ROWS_PER_SECOND.account
  }
}

interface Sum {
  event: RequestEvent
  requests: number
}

const writeRows = (pool: Pool, batch: RequestEvent[]) =>
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

const writeSums = (pool: Pool, sums: Sum[]) =>
  pool.query("SELECT add_request_counts($1, $2, $3, $4, $5, $6, $7)", [
    sums.map(({ event }) => event.actor.accountId),
    sums.map(({ event }) => event.actor.keyId),
    sums.map(({ event }) => event.model),
    sums.map(({ event }) => event.status),
    sums.map(({ event }) => event.code),
    sums.map(({ event }) => event.at),
    sums.map(({ requests }) => requests),
  ])

/** Creates the collector of a process. It bounds the rows that a key can cause; every event counts in the usage totals. */
export function createRequestEvents(pool: Pool, log: Log, metrics: Pick<Metrics, "lostEvents">): RequestEvents {
  let rows: RequestEvent[] = []
  let sums = new Map<string, Sum>()
  let details: RequestDetails[] = []
  const mayHaveRow = rowLimit()

  const count = (event: RequestEvent) => {
    const { actor, model, status, code, at } = event
    const hour = Math.floor(at.getTime() / HOUR_MS)
    const name = [actor.accountId, actor.keyId, model ?? "", status, code, hour].join(" ")
    sums.set(name, { event, requests: (sums.get(name)?.requests ?? 0) + 1 })
  }
  const orLog = (written: Promise<unknown>, lost: number) =>
    written.catch((cause) => {
      metrics.lostEvents(lost)
      log.error("Request events were lost", { event: "request_events.lost", count: lost, cause })
    })
  const logLost = (count: number, cause: unknown) =>
    log.error("Details of requests were lost", { event: "request_details.lost", count, cause })
  return {
    add(event) {
      const hasRow = mayHaveRow(event) && rows.length < MAX_WAITING
      if (hasRow) rows.push(event)
      else count(event)
      return hasRow
    },
    addDetails(one) {
      if (details.length < MAX_WAITING) details.push(one)
    },
    async flush() {
      const [batch, counted, noted] = [rows, [...sums.values()], details]
      rows = []
      sums = new Map()
      details = []
      if (noted.length > 0) await writeDetails(pool, noted).catch((cause) => logLost(noted.length, cause))
      if (batch.length > 0) await orLog(writeRows(pool, batch), batch.length)
      const requests = counted.reduce((total, sum) => total + sum.requests, 0)
      if (requests > 0) await orLog(writeSums(pool, counted), requests)
    },
  }
}
