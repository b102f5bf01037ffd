import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client"
import { createGauges, type Snapshot } from "./gauges"
import { traced } from "./tracing"

const STAGES = ["read", "check", "hold", "engine", "capture"] as const

/** A part of a decision whose time is measured on its own. */
export type Stage = (typeof STAGES)[number]

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
  /** Counts an alarm of outcomes that fired, by what it tests: `above`, `below` or `calibration`. */
  outcomeAlarm(claim: string): void
  /** Records how likely one of the labels was, of an answer for which the engine reports it. */
  labelMass(model: string, type: string, mass: number): void
  /** Counts the questions of an answered request to a cascade, by the model that answered them. */
  cascade(model: string, small: number, big: number): void
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

const MASSES = [0.1, 0.25, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1]

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
    labelMass: new Histogram({
      name: "svc_label_mass",
      help: "Probability that the model writes one of the labels, where the engine reports it, by pinned model and question type.",
      labelNames: ["model", "type"],
      buckets: MASSES,
      registers,
    }),
    cascades: counter(
      "svc_cascade_questions_total",
      "Questions that a cascade answered, by its pinned id and by the model that answered: small or big.",
      "model",
      "answered_by",
    ),
    tokens: counter("svc_input_tokens_total", "Input tokens billed, by pinned model.", "model"),
    mails: counter("svc_mails_total", "Mails, by outcome: sent or failed.", "outcome"),
    webhooks: counter(
      "svc_webhooks_total",
      "Attempts to deliver webhooks, by outcome: delivered or failed.",
      "outcome",
    ),
    outcomeAlarms: counter(
      "svc_outcome_alarms_total",
      "Alarms of outcomes that fired, by claim: above or below a threshold, or calibration.",
      "claim",
    ),
    lostEvents: counter("svc_request_events_lost_total", "Refused requests that are missing from the request log."),
    jobFailures: counter("svc_job_failures_total", "Failed runs of periodic jobs, by job.", "job_name"),
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

/** Prometheus reserves the suffix `_total` for counters, and prom-client gives it to gauges. `nodejs_active_resources` has the same by type. */
const MISNAMED = ["nodejs_active_handles_total", "nodejs_active_requests_total", "nodejs_active_resources_total"]

function collectProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
}

/** Creates the metrics of one process. `ofProcess` adds memory, CPU, garbage collection and event loop lag. */
export function createMetrics({ ofProcess }: { ofProcess: boolean }): Metrics {
  const registry = new Registry()
  if (ofProcess) collectProcessMetrics(registry)
  const { requests, refusals, duration, stages, tokens, ...counters } = createCounters(registry)
  const show = createGauges(registry)
  const failing = new Gauge({
    name: "svc_job_failing",
    help: "1 when the latest run of a periodic job failed, else 0.",
    labelNames: ["job_name"],
    registers: [registry],
    aggregator: "max",
  })
  // A counter that begins with its first event would show no increase, and alerts watch these.
  for (const outcome of ["sent", "failed"]) counters.mails.inc({ outcome }, 0)
  counters.signIns.inc({ event: "sign_in.budget_low" }, 0)
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
    outcomeAlarm: (claim) => counters.outcomeAlarms.inc({ claim }),
    labelMass: (model, type, mass) => counters.labelMass.observe({ model, type }, mass),
    cascade(model, small, big) {
      counters.cascades.inc({ model, answered_by: "small" }, small)
      counters.cascades.inc({ model, answered_by: "big" }, big)
    },
    lostEvents: (count) => counters.lostEvents.inc(count),
    job(name, failed) {
      failing.set({ job_name: name }, failed ? 1 : 0)
      counters.jobFailures.inc({ job_name: name }, failed ? 1 : 0)
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

/** The `Content-Type` of what `render` returns. */
export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE
