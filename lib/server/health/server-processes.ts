import { createHmac } from "node:crypto"
import { hostname } from "node:os"
import { originOf } from "@/lib/server/engines/engine-model"
import { isPinned } from "@/lib/server/models/catalogue"
import { deciderId } from "@/lib/server/models/decider-id"
import { acceptedSecrets } from "@/lib/server/platform/auth-secret"
import { readClockSkewMs } from "@/lib/server/platform/db/clock-skew"
import { readRelease } from "@/lib/server/platform/db/release"
import type { Row } from "@/lib/server/platform/db/row"
import type { Env } from "@/lib/server/platform/env"
import type { Runtime } from "@/lib/server/platform/runtime"
import { readVersion } from "./read-version"

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    processes: ServerProcesses
  }
}

/** What the servers on one database do not agree on. */
export interface Disagreements {
  /** The machines of servers with another `AUTH_SECRET` than this process. */
  otherSecrets: string[]
  /** Servers whose `ENGINE_URL` is not in use, because the stored address of its model wins. */
  ignoredEngines: { host: string; url: string }[]
}

/** Stands for a secret among processes that have it. Nobody can compute the secret from it. */
const markOf = (secret: string): string =>
  createHmac("sha256", secret).update("mark of a process").digest("base64url").slice(0, 22)

const marksOf = (env: Env): string[] => acceptedSecrets(env).map(markOf)

/** Returns the origin of `ENGINE_URL` when its model has other addresses. Null when it is in use, or may still become it. */
function ignoredEngine({ env, catalogue }: Runtime): string | null {
  const model = env.ENGINE_URL ? catalogue.find(deciderId(env)) : null
  if (!env.ENGINE_URL || model?.status !== "active" || !isPinned(model)) return null
  return model.addresses.some(({ url }) => url === env.ENGINE_URL) ? null : originOf(env.ENGINE_URL)
}

const REPORT = `
  WITH mine AS (
    INSERT INTO server_process (id, host, secret_mark, ignored_engine_url, address, version, schema, not_ready, job_count, failing_jobs,
      clock_ahead_ms, runs_models, seen_at)
    VALUES ($1, $2, $3, $4, $6, $7, $8, $9, $10, $11, $12, $13, clock_timestamp())
    ON CONFLICT (id) DO UPDATE SET ignored_engine_url = excluded.ignored_engine_url, not_ready = excluded.not_ready,
      job_count = excluded.job_count, failing_jobs = excluded.failing_jobs, clock_ahead_ms = excluded.clock_ahead_ms,
      seen_at = excluded.seen_at
  ), old AS (
    DELETE FROM server_process WHERE seen_at < clock_timestamp() - interval '1 day' AND id <> $1
  )
  SELECT o.host, o.secret_mark FROM server_process o JOIN server_process m ON m.id = $1
  WHERE o.id <> m.id AND o.started_at < m.started_at AND o.seen_at > m.started_at
    AND o.stopped_at IS NULL AND o.secret_mark <> ALL ($5)`

/** The greatest difference of clocks that the column holds: 24 days. A clock may be wrong by decades. */
const MAX_CLOCK_MS = 2 ** 31 - 1

/** Returns how far this server's clock is ahead of the database's, in whole ms, at most 24 days either way. */
async function readClockAheadMs({ pool }: Runtime): Promise<number> {
  return Math.max(-MAX_CLOCK_MS, Math.min(MAX_CLOCK_MS, Math.round(await readClockSkewMs(pool))))
}

type Build = [version: string | null, schema: string | null]

/** Returns what a server says of its files. It reads them once, because an upgrade may replace them. */
async function readBuild(runtime: Runtime): Promise<Build> {
  const { release, build } = await readVersion(runtime)
  const { migrations, functions } = await readRelease()
  return [
    build === null ? release : `${release} (${build})`,
    `${migrations.at(-1)?.name ?? "none"}, functions ${functions.version}`,
  ]
}

/** Reports this server to the others on its database, and notices when they do not agree. */
export class ServerProcesses {
  #hasWarned = false
  #build: Promise<Build> | null = null

  /** Reports this server, and warns once when an older one that still runs has another `AUTH_SECRET`. Runs every 5 s. */
  async report(runtime: Runtime): Promise<void> {
    const { pool, env, engines, jobs, log, readiness } = runtime
    const marks = marksOf(env)
    // Without its files, a server still has to report the rest.
    this.#build ??= readBuild(runtime).catch(() => [null, null])
    const [version, schema] = await this.#build
    const runs = jobs.list()
    const { rows } = await pool.query<Row<"ServerProcess", "host" | "secret_mark">>(REPORT, [
      engines.slots.processId,
      hostname(),
      marks[0],
      ignoredEngine(runtime),
      marks,
      `${env.HOST}:${env.PORT}`,
      version,
      schema,
      await readiness.findReason(),
      runs.length,
      runs.filter(({ failures }) => failures > 0).map(({ name }) => name),
      await readClockAheadMs(runtime),
      env.SERVE !== "console",
    ])
    if (rows.length === 0 || this.#hasWarned) return
    this.#hasWarned = true
    log.warn("Another process on this database has another AUTH_SECRET. Set the same one everywhere", {
      event: "secret.differs",
      reason: [...new Set(rows.map(({ host }) => host))].join(", "),
    })
  }

  /** Reports that this server stopped, so that its successor may have another secret. */
  async leave({ pool, engines }: Runtime): Promise<void> {
    const leave = "UPDATE server_process SET stopped_at = clock_timestamp(), seen_at = clock_timestamp() WHERE id = $1"
    await pool.query(leave, [engines.slots.processId]).catch(() => {})
  }
}

/** Returns what the servers that run now disagree on. */
export async function findDisagreements({ pool, env }: Runtime): Promise<Disagreements> {
  const { rows } = await pool.query<Row<"ServerProcess", "host" | "secret_mark" | "ignored_engine_url">>(
    `SELECT DISTINCT host, secret_mark, ignored_engine_url FROM server_process
     WHERE seen_at > clock_timestamp() - interval '15 seconds' AND stopped_at IS NULL ORDER BY host, ignored_engine_url`,
  )
  const marks = marksOf(env)
  return {
    otherSecrets: rows.filter(({ secret_mark }) => !marks.includes(secret_mark)).map(({ host }) => host),
    ignoredEngines: rows.flatMap(({ host, ignored_engine_url: url }) => (url === null ? [] : [{ host, url }])),
  }
}
