import type { AccountTotals } from "@/lib/server/accounts/account-totals"
import type { PaymentTotals } from "@/lib/server/billing/payment-totals"
import type { LedgerCheckRun } from "@/lib/server/ledger/check-runs"
import type { OperatedModel } from "@/lib/server/models/list-models"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { DAY_MS, HOUR_MS } from "@/lib/shared/time"
import type { Health } from "./get-health"

/** Something that needs the operator's attention. */
export interface Concern {
  tone: "danger" | "warn"
  title: string
  /** What it means and what to do next. */
  text: string
  /** The page of the operator's area where they can act. */
  href: string
}

export interface Known {
  health: Health
  accounts: AccountTotals
  payments: PaymentTotals
  /** The last checks of the whole ledger, newest first. */
  checks: LedgerCheckRun[]
  models: OperatedModel[]
}

const FAULTS: Record<string, string> = {
  database_full: "The database's disk is full. Free space on it.",
  database_read_only: "The database or its role is read-only. Allow writes.",
  database_connections: "The database has no connection left. Raise max_connections, or lower DATABASE_POOL.",
  database_timeout: "The database does not reply within 3 seconds. Check its load.",
  database_unreachable: "The database cannot be reached. Check that it runs.",
  ledger_writes_wait: "Writes wait for a lock of the ledger's tables. Look for it in pg_locks.",
}

const warn = (title: string, text: string, href: string): Concern => ({ tone: "warn", title, text, href })
const danger = (title: string, text: string, href: string): Concern => ({ tone: "danger", title, text, href })
const count = (n: number, one: string, many: string): string => (n === 1 ? `1 ${one}` : `${n} ${many}`)

function ofMoney({ checks, payments }: Known, now: number): Concern[] {
  const found: Concern[] = []
  const last = checks.find(({ finishedAt }) => finishedAt !== null)
  const broken = last?.checks.filter(({ ok }) => !ok).map(({ name }) => name) ?? []
  if (last?.ok === false)
    found.push(
      danger(
        "The ledger violates an invariant",
        `${broken.join("; ")}. Stop refunds and credits, and look at docs/database.md.`,
        "/operator",
      ),
    )
  if (payments.differing.length > 0)
    found.push(
      danger(
        `${count(payments.differing.length, "top-up differs", "top-ups differ")} from the ledger`,
        "Check these payments with Stripe before you refund any of them.",
        "/operator/payments",
      ),
    )
  if (last?.ok === null)
    found.push(
      warn(
        "The last check of the ledger failed",
        "It could not be completed. The log has the cause. Run it again.",
        "/operator",
      ),
    )
  if (!last) found.push(warn("The ledger was never verified", "Verify it once, and then regularly.", "/operator"))
  else if (now - Date.parse(last.finishedAt ?? "") > 7 * DAY_MS)
    found.push(warn("The ledger was not verified for a week", "Verify it now.", "/operator"))
  return found
}

function ofService({ health: { server, database, mail, mailQueue, backup } }: Known, now: number): Concern[] {
  const href = "/operator/health"
  const found: Concern[] = []
  if (!database)
    found.push(
      danger("The database does not reply", "Decisions fail with 500 and cost nothing. Check PostgreSQL.", href),
    )
  if (server?.fault)
    found.push(
      danger(
        "Decisions cannot be charged",
        FAULTS[server.fault] ?? "The ledger cannot be written. The log has the cause.",
        href,
      ),
    )
  const failing = server?.jobs.filter(({ failures }) => failures > 0).map(({ name }) => name) ?? []
  if (failing.length > 0)
    found.push(
      warn(
        `${count(failing.length, "job fails", "jobs fail")}: ${failing.join(", ")}`,
        "Each is tried again. The log has the cause under job.failed.",
        href,
      ),
    )
  if (mail === "unreachable") found.push(danger("No mail can be sent", "Nobody can sign in. Check EMAIL_SERVER.", href))
  if (mailQueue && mailQueue.givenUp > 0)
    found.push(
      warn(
        `${count(mailQueue.givenUp, "mail was", "mails were")} given up`,
        "Check the mail server, then send them again.",
        "/operator/mail",
      ),
    )
  if (server?.redis === "degraded")
    found.push(
      warn("Redis is unreachable", "Each process enforces its share of every rate limit until it returns.", href),
    )
  if (backup) found.push(...ofBackup(backup, now))
  return found
}

/** A rehearsal once a month is enough. */
const REHEARSED_WITHIN_MS = 32 * DAY_MS

function ofBackup({ takenAt, rehearsedAt, everyHours }: NonNullable<Health["backup"]>, now: number): Concern[] {
  const href = "/operator/health"
  if (takenAt === null)
    return [
      warn(
        "There is no backup",
        "Set BACKUP_EVERY_HOURS, or run backup create. Ignore this if another tool makes backups.",
        href,
      ),
    ]
  const found: Concern[] = []
  const dueMs = everyHours > 0 ? 2 * everyHours * HOUR_MS : 2 * DAY_MS
  if (now - Date.parse(takenAt) > dueMs)
    found.push(warn("The last backup is old", "Check the backup job, or make one now.", href))
  if (rehearsedAt === null || now - Date.parse(rehearsedAt) > REHEARSED_WITHIN_MS)
    found.push(
      warn(
        "No backup was rehearsed in the last 32 days",
        "Run backup rehearse, which restores the newest one into a temporary database.",
        href,
      ),
    )
  return found
}

/** Addresses that get no requests, of models that others still answer for. */
const ofAddresses = (models: OperatedModel[]): Concern[] =>
  models.flatMap(({ id, status, available, addresses }) =>
    addresses
      .filter((address) => status === "active" && available && !address.available && !address.isDraining)
      .map(({ url, reason }) =>
        warn(
          `${url} does not answer for ${id}`,
          `${reason ?? "It cannot be used."} The other addresses get its requests.`,
          "/operator/models",
        ),
      ),
  )

function ofProcesses({ health: { disagreements } }: Known): Concern[] {
  if (!disagreements) return []
  const { otherSecrets, ignoredEngines } = disagreements
  const found = ignoredEngines.map(({ host, url }) =>
    warn(
      `A server on ${host} has ${url} as its ENGINE_URL`,
      "The stored address of its model is in use instead. Correct the setting, or move the model with model engine.",
      "/operator/models",
    ),
  )
  if (otherSecrets.length === 0) return found
  const differs = danger(
    "Servers have different AUTH_SECRETs",
    `Another one is used on ${[...new Set(otherSecrets)].join(", ")}. Links and webhooks of one do not work in the other. Set the same one everywhere.`,
    "/operator/health",
  )
  return [differs, ...found]
}

function ofModels({ models }: Known): Concern[] {
  const down = models.filter(({ kind, status, available }) => kind === "pinned" && status === "active" && !available)
  const found = down.map(({ id, reason }) =>
    danger(
      `${id} is unavailable`,
      `${reason ?? "Its engine cannot be used."} Its requests fail with 503.`,
      "/operator/models",
    ),
  )
  found.push(...ofAddresses(models))
  const alias = models.find(({ id }) => id === ALIAS)
  return alias?.caution ? [...found, warn(`${ALIAS} is no decision model`, alias.caution, "/operator/models")] : found
}

function ofAccounts({ accounts, payments }: Known): Concern[] {
  const found: Concern[] = []
  if (payments.overdue > 0)
    found.push(
      warn(
        `${count(payments.overdue, "top-up waits", "top-ups wait")} for Stripe`,
        "Stripe was not asked about them for two hours.",
        "/operator/payments?show=waiting",
      ),
    )
  if (payments.attention > 0)
    found.push(
      warn(
        `${count(payments.attention, "checkout needs", "checkouts need")} attention`,
        "Stripe completed another payment than was asked for. Nothing was credited.",
        "/operator/payments?show=attention",
      ),
    )
  const { failedEvents } = payments
  if (failedEvents.length > 0)
    found.push(
      warn(
        `${count(failedEvents.length, "Stripe event was", "Stripe events were")} not settled`,
        "Refunds or disputes may be missing. Each is retried for 24 hours.",
        "/operator/payments",
      ),
    )
  if (payments.disputed > 0)
    found.push(
      warn(
        count(payments.disputed, "top-up is disputed", "top-ups are disputed"),
        "Answer the banks in Stripe's dashboard.",
        "/operator/payments?show=disputed",
      ),
    )
  if (accounts.negative > 0)
    found.push(
      warn(
        count(accounts.negative, "account is below zero", "accounts are below zero"),
        "Requests are refused until a top-up.",
        "/operator/accounts?show=negative",
      ),
    )
  return found
}

/** Returns what needs the operator's attention now: first what is broken, then what should be looked at. */
export function listConcerns(known: Known, now = Date.now()): Concern[] {
  const found = [
    ...ofMoney(known, now),
    ...ofService(known, now),
    ...ofProcesses(known),
    ...ofModels(known),
    ...ofAccounts(known),
  ]
  return found.toSorted((a, b) => Number(b.tone === "danger") - Number(a.tone === "danger"))
}
