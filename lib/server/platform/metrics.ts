import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client"
import { traced } from "./tracing"

const STAGES = ["read", "check", "hold", "engine", "capture"] as const

/** A part of a decision whose time is measured on its own. */
type Stage = (typeof STAGES)[number]

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
  /** Connections of this process to the database, and requests that wait for one. */
  pool: { open: number; idle: number; waiting: number }
  /** How many API workers are ready. Null for a process that starts none. */
  workers: number | null
}

/** The metrics of another process of this service, as JSON. */
export type MetricValues = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>

/** The metrics for Prometheus. Labels are routes, codes and model ids of the catalogue, never text from a request. */
export interface Metrics {
  /** Counts a request that has ended, and records its duration if given. */
  ended(route: string, status: number, code: string, elapsedMs?: number): void
  billed(model: string, tokens: number): void
  /** Counts an event of sign-in, such as `sign_in.link_used`. */
  signIn(event: string): void
  /** Counts a mail that was sent, or that the mail server refused. */
  mail(outcome: "sent" | "failed"): void
  /** Counts an attempt to deliver a webhook. */
  webhook(outcome: "delivered" | "failed"): void
  /** Counts events of refused requests that could not be stored. */
  lostEvents(count: number): void
  /** Records how a run of a periodic job ended. */
  job(name: string, failed: boolean): void
  /** Runs `work` and records its duration, also when it fails. With tracing, the stage is a span. */
  timed<T>(stage: Stage, work: () => Promise<T>): Promise<T>
  /** Returns all metrics in Prometheus's text format, added to those of the other processes. */
  render(now: Snapshot, others?: MetricValues[]): Promise<string>
  /** Returns all metrics for the process that renders them. */
  values(now: Snapshot): Promise<MetricValues>
}

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 90]

/** Creates the counters and histograms that requests and sign-ins feed. */
function createCounters(registry: Registry) {
  const registers = [registry]
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers })
  const histogram = (name: string, help: string, label: string) =>
    new Histogram({ name, help, labelNames: [label], buckets: SECONDS, registers })
  return {
    requests: counter("svc_requests_total", "Requests answered, by route and outcome.", "route", "status", "code"),
    refusals: counter("svc_refusals_total", "Requests refused with a 4xx, by code of the error.", "code"),
    duration: histogram(
      "svc_request_duration_seconds",
      "Time from a request's arrival to its response, by route.",
      "route",
    ),
    stages: histogram(
      "svc_stage_duration_seconds",
      "Time in one stage of a decision: read, check, hold, engine, capture.",
      "stage",
    ),
    tokens: counter("svc_input_tokens_total", "Input tokens billed, by pinned model.", "model"),
    mails: counter("svc_mails_total", "Mails, by outcome: sent or failed.", "outcome"),
    webhooks: counter(
      "svc_webhooks_total",
      "Attempts to deliver webhooks, by outcome: delivered or failed.",
      "outcome",
    ),
    lostEvents: counter("svc_request_events_lost_total", "Refused requests that are missing from the request log."),
    jobFailures: counter("svc_job_failures_total", "Failed runs of periodic jobs, by job.", "job"),
    signIns: counter(
      "svc_sign_in_events_total",
      "Sign-in links sent, limited, used and refused, and sessions started and ended, by event.",
      "event",
    ),
  }
}

/** Sorting and joining labels takes longer than counting, so what was labelled once is kept. */
function getOrAdd<Value>(known: Map<string, Value>, key: string, add: () => Value): Value {
  const value = known.get(key) ?? add()
  known.set(key, value)
  return value
}

/** Creates the metrics of one process. `ofProcess` adds memory, CPU, garbage collection and event loop lag. */
export function createMetrics({ ofProcess }: { ofProcess: boolean }): Metrics {
  const registry = new Registry()
  if (ofProcess) collectDefaultMetrics({ register: registry })
  const { requests, refusals, duration, stages, tokens, ...counters } = createCounters(registry)
  const show = createGauges(registry)
  const failing = new Gauge({
    name: "svc_job_failing",
    help: "1 when the latest run of a periodic job failed, else 0.",
    labelNames: ["job"],
    registers: [registry],
    aggregator: "max",
  })
  // A counter that begins with a failure would show no increase.
  for (const outcome of ["sent", "failed"]) counters.mails.inc({ outcome }, 0)
  const ofStage = new Map(STAGES.map((stage) => [stage, stages.labels(stage)]))

  const outcomes = new Map<string, { inc(): void }>()
  const countOf = (route: string, status: number, code: string) =>
    getOrAdd(outcomes, `${route} ${status} ${code}`, () => requests.labels({ route, status, code }))
  const durations = new Map<string, { observe(seconds: number): void }>()

  return {
    ended(route, status, code, elapsedMs) {
      countOf(route, status, code).inc()
      // 499 is not a refusal: the client left.
      if (status >= 400 && status < 499) refusals.inc({ code })
      if (elapsedMs === undefined) return
      getOrAdd(durations, route, () => duration.labels({ route })).observe(elapsedMs / 1_000)
    },
    billed: (model, count) => tokens.inc({ model }, count),
    signIn: (event) => counters.signIns.inc({ event }),
    mail: (outcome) => counters.mails.inc({ outcome }),
    webhook: (outcome) => counters.webhooks.inc({ outcome }),
    lostEvents: (count) => counters.lostEvents.inc(count),
    job(name, failed) {
      failing.set({ job: name }, failed ? 1 : 0)
      counters.jobFailures.inc({ job: name }, failed ? 1 : 0)
    },
    async timed(stage, work) {
      const start = performance.now()
      try {
        return await traced(stage, work)
      } finally {
        ofStage.get(stage)?.observe((performance.now() - start) / 1_000)
      }
    },
    async render(now, others = []) {
      show(now)
      if (others.length === 0) return registry.metrics()
      return AggregatorRegistry.aggregate([await registry.getMetricsAsJSON(), ...others]).metrics()
    },
    values(now) {
      show(now)
      return registry.getMetricsAsJSON()
    },
  }
}

function createGauges(registry: Registry): (now: Snapshot) => void {
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
  const workers = gauge("svc_api_workers_ready", "API workers that are ready, when API_WORKERS is 2 or more.")
  const backupAge = gauge("svc_backup_age_seconds", "Seconds since the last backup of the database was taken.")
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
    setOrRemove(workers, now.workers)
    setOrRemove(redis, now.redis && Number(now.redis === "ok"))
  }
}

const setOrRemove = (gauge: Gauge, value: number | null): void => (value === null ? gauge.remove() : gauge.set(value))

/** The `Content-Type` of what `render` returns. */
export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE
