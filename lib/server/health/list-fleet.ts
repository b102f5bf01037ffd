import { type Actor, requireRight } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import type { Runtime } from "@/lib/server/platform/runtime"

/**
 * `lost`: it has not reported for 15 seconds, and did not stop in order. `running`: it is of an earlier version, which does not report
 * whether it is ready.
 */
type FleetState = "ready" | "not_ready" | "running" | "stopped" | "lost"

/** A server of the last day, with its console and its API workers. Fields are null for one of an earlier version. */
export interface FleetMember {
  id: string
  host: string
  /** Where it listens, such as `0.0.0.0:3000`. */
  address: string | null
  version: string | null
  /** The newest migration that it knows, and the version of its SQL functions. */
  schema: string | null
  state: FleetState
  /** Why it should get no requests; null unless it is not ready. */
  reason: string | null
  jobs: number | null
  /** The jobs whose last run failed. */
  failingJobs: string[]
  /** How far its clock is ahead of the database's; negative when it is behind. */
  clockAheadMs: number | null
  /** ISO texts. */
  startedAt: string
  seenAt: string
}

type FleetRow = Row<
  "ServerProcess",
  | ("id" | "host" | "address" | "version" | "schema" | "not_ready" | "job_count" | "failing_jobs" | "clock_ahead_ms")
  | ("started_at" | "seen_at" | "stopped_at")
> & { is_silent: boolean }

const LIST = `
  SELECT id, host, address, version, schema, not_ready, job_count, failing_jobs, clock_ahead_ms, started_at, seen_at, stopped_at,
    seen_at < clock_timestamp() - interval '15 seconds' AS is_silent
  FROM server_process WHERE seen_at > clock_timestamp() - interval '1 day'
  ORDER BY stopped_at IS NOT NULL, is_silent, started_at DESC LIMIT 500`

function stateOf({ stopped_at, is_silent, not_ready, job_count }: FleetRow): FleetState {
  if (stopped_at) return "stopped"
  if (is_silent) return "lost"
  if (job_count === null) return "running"
  return not_ready === null ? "ready" : "not_ready"
}

/** Returns the servers that reported within the last day, at most 500, those that run first. For operators. */
export async function listFleet({ pool }: Runtime, actor: Actor): Promise<FleetMember[]> {
  requireRight(actor, "service.read")
  const { rows } = await pool.query<FleetRow>(LIST)
  return rows.map((row) => ({
    id: row.id,
    host: row.host,
    address: row.address,
    version: row.version,
    schema: row.schema,
    state: stateOf(row),
    reason: stateOf(row) === "not_ready" ? row.not_ready : null,
    jobs: row.job_count,
    failingJobs: row.failing_jobs ?? [],
    clockAheadMs: row.clock_ahead_ms,
    startedAt: row.started_at.toISOString(),
    seenAt: row.seen_at.toISOString(),
  }))
}
