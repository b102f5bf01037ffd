import { grantAllowances } from "@/lib/server/accounts/grant-allowances"
import { dropExpiredSignIns } from "@/lib/server/auth/drop-expired"
import { reportBackupDir } from "@/lib/server/backup/backup-marker"
import { backUpWhenDue } from "@/lib/server/backup/scheduled-backup"
import { retryFailedEvents } from "@/lib/server/billing/failed-events"
import { pollEvents, pollTopups } from "@/lib/server/billing/poll-topups"
import { detachRemovedCards } from "@/lib/server/billing/saved-card"
import { watchAutoTopups } from "@/lib/server/billing/watch-auto-topups"
import { watchCrossings, watchLateCrossings } from "@/lib/server/billing/watch-crossings"
import { saveLastUsed } from "@/lib/server/keys/key-cache"
import { watchExpiries } from "@/lib/server/keys/watch-expiries"
import { runRequestedCheck } from "@/lib/server/ledger/check-runs"
import { dropSettledHolds } from "@/lib/server/ledger/drop-settled-holds"
import { sweepGrants } from "@/lib/server/ledger/grant-statements"
import { dropIdempotencyKeys } from "@/lib/server/ledger/idempotency-claims"
import { sweepHolds } from "@/lib/server/ledger/sweep-holds"
import { dropOldMail, sendQueuedMail } from "@/lib/server/mail/send-queued"
import { dropStays } from "@/lib/server/models/alias-stays"
import { saveAliasUses } from "@/lib/server/models/alias-use"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { runPlannedMove } from "@/lib/server/models/planned-moves"
import { shareEngineUse } from "@/lib/server/models/share-engine-use"
import { announceStayEnds } from "@/lib/server/models/stay-mails"
import { dropOutcomes } from "@/lib/server/outcomes/drop-outcomes"
import { addPartitions } from "@/lib/server/platform/db/partitions"
import { type Runtime, runtime } from "@/lib/server/platform/runtime"
import { dropShadows } from "@/lib/server/shadows/drop-shadows"
import { renewSigningKey } from "@/lib/server/signing/signing-keys"
import { dropOldStatus, type Known, sampleStatus } from "@/lib/server/status/sample-status"
import { dropOldUsage } from "@/lib/server/usage/drop-old-usage"
import { rollUpNewUsage } from "@/lib/server/usage/roll-up-usage"
import { watchErrorRates } from "@/lib/server/usage/watch-error-rates"
import { deliverWebhooks, dropOldDeliveries } from "@/lib/server/webhooks/deliver"
import { renewWebhookSecrets } from "@/lib/server/webhooks/secret"
import type { ModelOrders } from "./model-orders"

/** A job that keeps failing is logged at most this often. */
const LOG_EVERY_MS = 60_000

/**
 * Runs `work` every `everyMs`, one run at a time. Until it is stopped, a failure is logged, with how many were not logged before it, and
 * the next run tries again. `onFailure` gets the start of the run.
 */
function repeat(
  name: string,
  everyMs: number,
  work: (runtime: Runtime) => Promise<unknown>,
  onFailure = (_startedAt: Date) => {},
): () => void {
  const { jobs } = runtime()
  jobs.add(name, everyMs)
  let running = false
  let stopped = false
  const logFailure = throttledFailureLog(name)
  const timer = setInterval(async () => {
    if (running) return
    running = true
    let hasFailed = false
    const startedAt = new Date()
    jobs.begin(name)
    try {
      await work(runtime())
      runtime().metrics.job(name, false)
    } catch (cause) {
      if (stopped) return
      hasFailed = true
      onFailure(startedAt)
      runtime().metrics.job(name, true)
      logFailure(cause)
    } finally {
      running = false
      jobs.end(name, hasFailed)
    }
  }, everyMs)
  timer.unref()
  return () => {
    stopped = true
    clearInterval(timer)
  }
}

/** Returns a function that logs a job's failure at most once a minute, with the number of those that it left out before. */
function throttledFailureLog(name: string): (cause: unknown) => void {
  let loggedAt = Number.NEGATIVE_INFINITY
  let leftOut = 0
  return (cause) => {
    if (performance.now() - loggedAt < LOG_EVERY_MS) return void leftOut++
    const count = leftOut > 0 ? leftOut : undefined
    runtime().log.warn("A job failed and will run again", { event: "job.failed", reason: name, count, cause })
    loggedAt = performance.now()
    leftOut = 0
  }
}

/** Starts the jobs that every process runs for itself, and the only ones of the console's. Returns the functions that stop them. */
export const startSharedJobs = (): (() => void)[] => [
  repeat("catalogue", 1_000, loadCatalogue, (startedAt) => runtime().catalogue.markStale(startedAt)),
  repeat("status report", 10_000, (own) => own.statusReports.refresh(own)),
]

/** Starts the jobs that every process but the console's runs for itself. Returns the functions that stop them. */
const ownJobs = (): (() => void)[] => [
  ...startSharedJobs(),
  repeat("engine use", 1_000, shareEngineUse, () => runtime().engines.slots.setOthers([])),
  repeat("request events", 1_000, () => runtime().events.flush()),
  repeat("last used", 5_000, saveLastUsed),
  repeat("alias uses", 30_000, saveAliasUses),
  repeat("shadows", 1_000, (own) => own.shadows.save(own)),
]

const reportProcess = (runtime: Runtime) => runtime.processes.report(runtime)

/** Saves the last uses of keys and of the alias when a process stops, before its jobs would. A failure loses them. */
export async function saveLastUses(): Promise<void> {
  await Promise.allSettled([saveLastUsed(runtime()), saveAliasUses(runtime())])
}

/** Starts the periodic work of an API worker, whose supervisor does everything else. Returns a function that stops it. */
export function startWorkerJobs(): () => void {
  const stops = ownJobs()
  return () => {
    for (const stop of stops) stop()
  }
}

/** Starts the periodic work of a server, whose models `orders` runs. Returns a function that stops all jobs. */
export function startJobs(orders: ModelOrders | null): () => void {
  const { payments, mailer } = runtime()
  const known: Known = { console: null, mail: null, payments: null }
  const checkMail = async () => {
    known.mail = await mailer.check()
  }
  const readEvents = async () => {
    const fetching = pollEvents(runtime())
    known.payments = await fetching.then(
      () => true,
      () => false,
    )
    // Rejects after a failure, so that the job counts as failed.
    await fetching
  }
  const stopping = new AbortController()
  const sample = () => sampleStatus(runtime(), { ...known, console: runtime().isConsoleUp() })
  const stops = [
    ...ownJobs(),
    repeat("processes", 5_000, reportProcess),
    ...(orders ? [repeat("model orders", 1_000, (own) => orders.follow(own))] : []),
    repeat("sweep holds", 15_000, sweepHolds),
    repeat("sweep grants", 2_000, sweepGrants),
    repeat("usage", 10_000, rollUpNewUsage),
    repeat("old usage", 600_000, dropOldUsage),
    repeat("outcomes", 600_000, dropOutcomes),
    repeat("old shadows", 600_000, dropShadows),
    repeat("ended stays", 600_000, dropStays),
    repeat("ends of stays", 600_000, announceStayEnds),
    repeat("idempotency keys", 600_000, dropIdempotencyKeys),
    repeat("settled holds", 600_000, dropSettledHolds),
    repeat("partitions", 600_000, () => addPartitions(runtime().pool)),
    repeat("crossings", 5_000, watchCrossings),
    repeat("late crossings", 60_000, watchLateCrossings),
    repeat("allowances", 60_000, grantAllowances),
    repeat("error rates", 60_000, watchErrorRates),
    repeat("planned move", 60_000, (own) => runPlannedMove(own)),
    repeat("key expiries", 600_000, watchExpiries),
    repeat("queued mail", 5_000, sendQueuedMail),
    repeat("webhooks", 5_000, deliverWebhooks),
    repeat("old webhooks", 600_000, dropOldDeliveries),
    repeat("webhook secrets", 600_000, renewWebhookSecrets),
    repeat("signing key", 600_000, renewSigningKey),
    repeat("old mail", 600_000, dropOldMail),
    repeat("backup", 60_000, () => backUpWhenDue(runtime(), new Date(), stopping.signal)),
    repeat("ledger check", 5_000, () => runRequestedCheck(runtime(), stopping.signal)),
    repeat("expired sign-ins", 600_000, dropExpiredSignIns),
    repeat("mail", 300_000, checkMail),
    repeat("status", 60_000, sample),
    repeat("old status", 600_000, dropOldStatus),
    ...(payments
      ? [
          repeat("top-ups", 15_000, pollTopups),
          repeat("automatic top-ups", 2_000, watchAutoTopups),
          repeat("removed cards", 30_000, detachRemovedCards),
          repeat("Stripe events", 300_000, readEvents),
          repeat("failed Stripe events", 60_000, retryFailedEvents),
        ]
      : []),
  ]
  void checkMail()
  void reportBackupDir(runtime())
  void sample().catch(() => {})
  void reportProcess(runtime()).catch(() => {})
  return () => {
    for (const stop of stops) stop()
    // After the jobs, so that the end of a backup or of a ledger check is not logged as a failure.
    stopping.abort()
  }
}
