import { createHash, timingSafeEqual } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { isLocalOnly } from "@/lib/server/auth/local-only"
import { lastBackupAt } from "@/lib/server/backup/scheduled-backup"
import { clientAddress } from "@/lib/server/platform/client-address"
import { readPartitionStates } from "@/lib/server/platform/db/partitions"
import { METRICS_TYPE, type MetricValues, type Snapshot } from "@/lib/server/platform/metrics"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import type { InFlight } from "./in-flight"
import { assignRequestId, sendError } from "./respond"

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    /** Returns the metrics of the other processes that share this one's port, and of their supervisor. Empty without any. */
    readOtherMetrics: () => Promise<MetricValues[]>
  }
}

const DATABASE_LIMIT_MS = 1_000

const sha256 = (text: string) => createHash("sha256").update(text).digest()

/** Returns true for a request from this machine, as `isLocalOnly` decides, and for one that carries `METRICS_TOKEN`. */
function mayScrape(request: IncomingMessage): boolean {
  const { env } = runtime()
  if (isLocalOnly(Object.entries(request.headers), request.socket.remoteAddress, env)) return true
  const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1]
  return Boolean(env.METRICS_TOKEN && given && timingSafeEqual(sha256(given), sha256(env.METRICS_TOKEN)))
}

/** Returns what `read` returns, or null if it fails or takes longer than a second. */
function withinLimit<T>(read: () => Promise<T | null>): Promise<T | null> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, DATABASE_LIMIT_MS, null).unref())
  return Promise.race([read().catch(() => null), late])
}

/** Returns the number of open holds. It reads only holds that expired after the last sweep or did not expire yet. */
async function countOpenHolds(): Promise<number | null> {
  const { rows } = await runtime().pool.query<{ open: number }>(
    `SELECT count(*)::int AS open FROM hold WHERE state = 'held'
       AND expires_at > least(ledger_now(), (SELECT done_until FROM job_mark WHERE name = 'sweep holds'))`,
  )
  return rows[0]?.open ?? null
}

async function backupAgeSeconds(): Promise<number | null> {
  const last = await lastBackupAt(runtime().pool)
  return last && (Date.now() - last.getTime()) / 1_000
}

/** Returns what this process alone knows, without the database. */
export function ownSnapshot(inFlight: number, workers: number | null = null): Snapshot {
  const { catalogue, engines, rates, pool } = runtime()
  return {
    inFlight,
    workers,
    openHolds: null,
    backupAgeSeconds: null,
    partitions: null,
    pool: { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount },
    engines: catalogue
      .pinned()
      .filter((model) => model.status === "active")
      .map(({ id }) => ({ model: id, available: engines.availability(id).available })),
    redis: rates.redis,
  }
}

/** `GET /metrics` in Prometheus's text format; 404 for a client that may not read it. */
export async function answerMetrics(
  request: IncomingMessage,
  response: ServerResponse,
  inFlight: InFlight,
): Promise<void> {
  assignRequestId(response)
  if (!mayScrape(request)) {
    // Throws when the client address is missing, which only a permitted scraper may leave out.
    clientAddress(request, runtime().env.TRUSTED_PROXY_HOPS)
    return sendError(response, new ServiceError("not_found"))
  }
  const [others, openHolds, age, partitions] = await Promise.all([
    runtime().readOtherMetrics(),
    withinLimit(countOpenHolds),
    withinLimit(backupAgeSeconds),
    withinLimit(() => readPartitionStates(runtime().pool)),
  ])
  const snapshot = { ...ownSnapshot(inFlight.count), openHolds, backupAgeSeconds: age, partitions }
  const text = await runtime().metrics.render(snapshot, others)
  response.writeHead(200, { "content-type": METRICS_TYPE, "cache-control": "no-store" })
  response.end(text)
}
