import { mkdtemp, readdir, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import pg from "pg"
import { startEmbedded } from "@/lib/server/platform/db/embedded"
import { migrate } from "@/lib/server/platform/db/migrate"
import { isPostgres, readPostmaster } from "@/lib/server/platform/db/postmaster"
import { MEMORY, memoryHasRoom } from "./memory-folder"

const TEMPLATE = "template_svcd"
/**
 * Nothing here outlives the run: suites that test crash recovery start clusters of their own. Several test files run at once, with
 * pools of 20 connections each.
 */
const SETTINGS = ["fsync=off", "full_page_writes=off", "wal_init_zero=off", "max_wal_size=256MB", "max_connections=400"]
const MEMORY_BYTES = 4e9
const PREFIX = "svcd-test-"
/** A younger folder may belong to a run that has not started PostgreSQL yet. */
const ABANDONED_AFTER_MS = 600_000

export interface Cluster {
  host: string
  port: number
  user: string
}

/**
 * Returns Linux's folder in memory if it has room, otherwise the folder for temporary files. On ext4, finding inodes for the files of
 * 400 databases took an eighth of the processor time of all tests without a browser.
 */
const fastestFolder = (): string => (memoryHasRoom(MEMORY_BYTES) ? MEMORY : tmpdir())

/** Deletes folders of clusters that do not run and that were last changed more than ten minutes ago, as killed runs leave them. */
export async function deleteAbandoned(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => [])
  for (const name of names.filter((each) => each.startsWith(PREFIX))) {
    const dir = path.join(parent, name)
    const postmaster = await readPostmaster(path.join(dir, "postgres"))
    const isRunning = postmaster !== null && isPostgres(postmaster.pid)
    // Another run may have just deleted it.
    const changedAt = await stat(dir).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    )
    if (!isRunning && Date.now() - changedAt > ABANDONED_AFTER_MS) await rm(dir, { recursive: true, force: true })
  }
}

/** Starts an embedded PostgreSQL with a migrated template database. `stop` also removes its data folder. */
export async function startCluster(): Promise<{ cluster: Cluster; stop(): Promise<void> }> {
  await deleteAbandoned(MEMORY)
  const dir = await mkdtemp(path.join(fastestFolder(), PREFIX))
  const embedded = await startEmbedded(dir, "command", SETTINGS)
  const { host, port, user } = embedded.config as Cluster
  const admin = new pg.Client(embedded.config)
  await admin.connect()
  await admin.query(`CREATE DATABASE ${TEMPLATE}`)
  await admin.end()
  const template = new pg.Pool({ host, port, user, database: TEMPLATE })
  await migrate(template)
  await template.end()
  const stop = async () => {
    await embedded.release()
    await rm(dir, { recursive: true, force: true })
  }
  return { cluster: { host, port, user }, stop }
}

/**
 * Creates a migrated database by copying the template's files. The default strategy also writes them to the WAL. `drop` also ends
 * its connections.
 */
export async function createDatabase(
  { host, port, user }: Cluster,
  name: string,
): Promise<{ url: string; drop(): Promise<void> }> {
  const admin = new pg.Pool({ host, port, user, database: "postgres", max: 1 })
  await admin.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY file_copy`)
  const url = `postgresql://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`
  const drop = async () => {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await admin.end()
  }
  return { url, drop }
}
