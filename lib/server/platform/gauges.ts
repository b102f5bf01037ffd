import { Gauge, type Registry } from "prom-client"

/** "degraded" while Redis is unreachable and each process enforces its share of every limit. */
export type RedisState = "ok" | "degraded"

/** Values that are read at the time of a scrape. */
export interface Snapshot {
  inFlight: number
  /** Null when the database did not answer in time. */
  openHolds: number | null
  engines: { model: string; available: boolean }[]
  /** Null when no Redis is configured. */
  redis: RedisState | null
  /** Null when the database did not answer in time. */
  partitions: { table: string; secondsAhead: number; defaultRows: number }[] | null
  /** Null when there is no backup, or when the database did not answer in time. */
  backupAgeSeconds: number | null
  /** Null when no backup was rehearsed, or when the database did not answer in time. */
  rehearsalAgeSeconds: number | null
  /** Connections of this process to the database, and requests that wait for one. */
  pool: { open: number; idle: number; waiting: number }
  /** API workers that should run, and those that are ready. Null for a process that starts none. */
  workers: { wanted: number; ready: number } | null
  /** Why this process should get no requests, or "ok". Null for a process that gets none, such as a supervisor. */
  readiness: string | null
  /** Null for a process that starts no console. */
  isConsoleUp: boolean | null
  /** Rows that violated an invariant at the last check of the ledger. Null before the first, and when the database did not answer in time. */
  ledgerDrift: number | null
  /** How far this process's clock is ahead of the database's. Null when the database did not answer in time. */
  clockSkewSeconds: number | null
}

/** Creates the gauges of one process. The returned function sets them. */
export function createGauges(registry: Registry): (now: Snapshot) => void {
  const gauge = (name: string, help: string, labelNames: string[] = [], aggregator: "sum" | "min" | "max" = "sum") =>
    new Gauge({ name, help, labelNames, aggregator, registers: [registry] })
  const inFlight = gauge("svc_requests_in_flight", "Decision requests being answered.")
  const openHolds = gauge(
    "svc_open_holds",
    "Holds on balances that are not yet captured or released, on all processes.",
  )
  const available = gauge("svc_engine_available", "1 when the model's engine can be used, else 0.", ["model"], "min")
  const redis = gauge(
    "svc_redis_up",
    "1 when rate limits are shared through Redis, 0 when this process counts its share.",
    [],
    "min",
  )
  const wanted = gauge("svc_api_workers_wanted", "API workers that should be ready, when there are 2 or more.")
  const workers = gauge("svc_api_workers_ready", "API workers that are ready, when there should be 2 or more.")
  const ready = gauge(
    "svc_ready",
    "1 when the process can charge decisions, else 0, by reason as in GET /readyz.",
    ["reason"],
    "min",
  )
  const consoleUp = gauge("svc_console_up", "1 when the process that renders the console is ready, else 0.", [], "min")
  const drift = gauge("svc_ledger_drift", "Rows that violated an invariant at the last check of the ledger.", [], "max")
  const skew = gauge(
    "svc_database_clock_skew_seconds",
    "Seconds by which the clock of the process is ahead of the clock of the database.",
    [],
    "max",
  )
  const backupAge = gauge("svc_backup_age_seconds", "Seconds since the last backup of the database was taken.")
  const rehearsalAge = gauge(
    "svc_backup_rehearsal_age_seconds",
    "Seconds since a backup was last restored as a rehearsal, with an exact ledger.",
  )
  const ahead = gauge("svc_partition_ahead_seconds", "Seconds from now for which the table has partitions.", ["table"])
  const inDefault = gauge(
    "svc_partition_default_rows",
    "Rows of the table that have no partition of their time, counted up to 1,000. There should be none.",
    ["table"],
  )
  const connections = gauge("svc_database_connections", "Connections of this process to the database, by state.", [
    "state",
  ])
  const waiting = gauge(
    "svc_database_pool_waiting",
    "Requests of this process that wait for a connection to the database.",
  )
  return (now) => {
    ahead.reset()
    inDefault.reset()
    for (const { table, secondsAhead, defaultRows } of now.partitions ?? []) {
      ahead.set({ table }, secondsAhead)
      inDefault.set({ table }, defaultRows)
    }
    connections.set({ state: "busy" }, now.pool.open - now.pool.idle)
    connections.set({ state: "idle" }, now.pool.idle)
    waiting.set(now.pool.waiting)
    inFlight.set(now.inFlight)
    available.reset()
    for (const engine of now.engines) available.set({ model: engine.model }, engine.available ? 1 : 0)
    setOrRemove(openHolds, now.openHolds)
    setOrRemove(backupAge, now.backupAgeSeconds)
    setOrRemove(rehearsalAge, now.rehearsalAgeSeconds)
    setOrRemove(wanted, now.workers?.wanted ?? null)
    setOrRemove(workers, now.workers?.ready ?? null)
    ready.reset()
    if (now.readiness !== null) ready.set({ reason: now.readiness }, now.readiness === "ok" ? 1 : 0)
    setOrRemove(consoleUp, now.isConsoleUp === null ? null : Number(now.isConsoleUp))
    setOrRemove(drift, now.ledgerDrift)
    setOrRemove(skew, now.clockSkewSeconds)
    setOrRemove(redis, now.redis && Number(now.redis === "ok"))
  }
}

const setOrRemove = (gauge: Gauge, value: number | null): void => (value === null ? gauge.remove() : gauge.set(value))
