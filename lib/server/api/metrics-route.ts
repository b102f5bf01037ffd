import { createHash, timingSafeEqual } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Pool } from "pg"
import { isLocalOnly } from "@/lib/server/auth/local-only"
import { lastRehearsalAt } from "@/lib/server/backup/rehearsal"
import { lastBackupAt } from "@/lib/server/backup/scheduled-backup"
import { readLedgerDrift } from "@/lib/server/ledger/check-runs"
import { clientAddress } from "@/lib/server/platform/client-address"
import { readClockSkewMs } from "@/lib/server/platform/db/clock-skew"
import { readPartitionStates } from "@/lib/server/platform/db/partitions"
import type { Snapshot } from "@/lib/server/platform/gauges"
import { METRICS_TYPE, type MetricValues } from "@/lib/server/platform/metrics"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import type { InFlight } from "./in-flight"
import { assignRequestId, sendError } from "./respond"

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    /** Returns the metrics of the other processes that share this one's port, and of their supervisor. Empty without any. */
    readOtherMetrics: () => Promise<MetricValues[]>
    /** Returns whether the process that renders the console is ready. Null for a process that starts none. */
    isConsoleUp: () => boolean | null
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

/** Returns the seconds since the time that `read` returns; null when it returns null. */
async function secondsSince(read: (pool: Pool) => Promise<Date | null>): Promise<number | null> {
  const last = await read(runtime().pool)
  return last && (Date.now() - last.getTime()) / 1_000
}

/** Returns what this process alone knows. `known` adds what its caller knows. */
export function ownSnapshot(known: Partial<Snapshot>): Snapshot {
  const { catalogue, engines, rates, pool, isConsoleUp } = runtime()
  return {
    ...{ inFlight: 0, workers: null, readiness: null, isConsoleUp: isConsoleUp() },
    ...{ openHolds: null, backupAgeSeconds: null, rehearsalAgeSeconds: null },
    ...{ partitions: null, ledgerDrift: null, clockSkewSeconds: null },
    pool: { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount },
    engines: catalogue
      .pinned()
      .filter((model) => model.status === "active")
      .map(({ id }) => ({ model: id, available: engines.availability(id).available })),
    redis: rates.redis,
    ...known,
  }
}

/** Returns why this process should get no requests, or "ok". Resolves within about 3 s. */
export const readReadiness = async (): Promise<string> => (await runtime().readiness.findReason()) ?? "ok"

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
  const [others, readiness, openHolds, ...read] = await Promise.all([
    runtime().readOtherMetrics(),
    readReadiness(),
    withinLimit(countOpenHolds),
    withinLimit(() => secondsSince(lastBackupAt)),
    withinLimit(() => secondsSince(lastRehearsalAt)),
    withinLimit(() => readPartitionStates(runtime().pool)),
    withinLimit(() => readLedgerDrift(runtime())),
    withinLimit(async () => (await readClockSkewMs(runtime().pool)) / 1_000),
  ])
  const [backupAgeSeconds, rehearsalAgeSeconds, partitions, ledgerDrift, clockSkewSeconds] = read
  const ages = { backupAgeSeconds, rehearsalAgeSeconds }
  const ofDatabase = { openHolds, ...ages, partitions, ledgerDrift, clockSkewSeconds }
  const text = await runtime().metrics.render(
    ownSnapshot({ inFlight: inFlight.count, readiness, ...ofDatabase }),
    others,
  )
  response.writeHead(200, { "content-type": METRICS_TYPE, "cache-control": "no-store" })
  response.end(text)
}
