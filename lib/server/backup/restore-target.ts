import { randomBytes } from "node:crypto"
import * as fs from "node:fs/promises"
import path from "node:path"
import type { Pool } from "pg"
import { readSecretOf, SECRET_FILE } from "@/lib/server/platform/auth-secret"
import { withConnection } from "@/lib/server/platform/db/connect"
import { startEmbedded } from "@/lib/server/platform/db/embedded"
import { readRelease } from "@/lib/server/platform/db/release"
import type { Env } from "@/lib/server/platform/env"
import { BackupReader, BackupRefused, unpack } from "./backup-format"
import { type BackupFile, nameOf } from "./backup-place"
import { checkBackup } from "./check-backup"
import { decrypt } from "./encryption"
import { type EndedSince, endAgain, findEnded } from "./ended-since"
import { isUrl, type LiveDatabase, readFrom, requireReadable } from "./live-database"
import { type Opened, restoreInto, splitMigrations } from "./restore-backup"

export interface Restored {
  /** The folder, or the address without its password. */
  into: string
  /** The newest migration of the backup. The restored database has the newest one of this release. */
  schema: string
  takenAt: string
  rows: number
  /** Tables and columns of the backup that are not the service's, and were not restored. */
  leftOut: string[]
  /** What ended in the live database since the backup, and works again after the restore. Null when it could not be read. */
  ended: EndedSince | null
  /** Whether it was ended in the restored database too. */
  isEndedAgain: boolean
}

type Filled = Pick<Restored, "rows" | "leftOut" | "ended" | "isEndedAgain">

/** How an empty database is filled, and the generated secret that belongs to it. */
interface Filling {
  fill(pool: Pool): Promise<Filled>
  authSecret: string | null
}

const writeSecret = (dir: string, secret: string) =>
  fs.writeFile(path.join(dir, SECRET_FILE), `${secret}\n`, { mode: 0o600, flag: "wx", flush: true })

/** Returns whether the folder exists. Throws `BackupRefused` when it has files or is not a folder. */
async function isEmptyFolder(dir: string): Promise<boolean> {
  const names = await fs.readdir(dir).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return null
    throw cause.code === "ENOTDIR" ? new BackupRefused(`${dir} is not a folder`) : cause
  })
  if (names && names.length > 0) throw new BackupRefused(`${dir} is not empty`)
  return names !== null
}

/** Creates a data folder. Works in a subfolder until the copy is complete, so that no server starts on an incomplete one. */
async function restoreFolder(dir: string, { fill, authSecret }: Filling): Promise<Filled> {
  const existed = await isEmptyFolder(dir)
  await fs.mkdir(dir, { recursive: true, mode: 0o700 })
  const draft = path.join(dir, `.restoring-${randomBytes(4).toString("hex")}`)
  try {
    const embedded = await startEmbedded(draft, "command")
    const copied = await withConnection(embedded.config, fill).finally(() => embedded.release())
    if (authSecret) await writeSecret(dir, authSecret)
    await fs.rename(path.join(draft, "postgres"), path.join(dir, "postgres"))
    await fs.rm(draft, { recursive: true })
    return copied
  } catch (error) {
    await fs.rm(existed ? draft : dir, { recursive: true, force: true })
    await fs.rm(path.join(dir, SECRET_FILE), { force: true })
    throw error
  }
}

/** Restores into a database. The generated secret goes to `DATA_DIR`, unless `AUTH_SECRET` or another one is in use there. */
async function restoreUrl(url: string, { fill, authSecret }: Filling, env: Env): Promise<Filled> {
  const copied = await withConnection({ connectionString: url }, fill)
  if (authSecret && !env.AUTH_SECRET && (await readSecretOf(env.DATA_DIR)) === null) {
    await fs.mkdir(env.DATA_DIR, { recursive: true, mode: 0o700 })
    await writeSecret(env.DATA_DIR, authSecret)
  }
  return copied
}

function withoutPassword(address: string): string {
  const url = new URL(address)
  url.password = ""
  url.searchParams.delete("password")
  return url.href
}

/** Fills an empty database, then finds out what ended since the backup. */
async function fillDatabase(pool: Pool, opened: Opened, live: LiveDatabase | null, env: Env): Promise<Filled> {
  const copied = await restoreInto(pool, opened, await readRelease())
  const { takenAt, authSecret } = opened.header
  const ended = live && (await readFrom(live.address, (from) => findEnded(from, pool, new Date(takenAt))))
  const isEndedAgain = Boolean(ended && live?.isApplied)
  // Addresses of erased users are hashed with the secret that the restored service will use.
  const AUTH_SECRET = env.AUTH_SECRET ?? authSecret ?? undefined
  if (ended && live?.isApplied) await endAgain({ env: { ...env, AUTH_SECRET } }, pool, ended)
  return { ...copied, ended, isEndedAgain }
}

/**
 * Restores a backup into a folder that is missing or empty, or into the empty database at a `postgres://` address. `live`
 * shows what ended since the backup, when it can be read; with `isApplied` it must be. Throws `BackupRefused` when the file is damaged or newer than this
 * version, when the target is not empty, or the live database cannot be read, and changes nothing then.
 */
export async function restoreBackup(
  from: BackupFile,
  into: string,
  env: Env,
  live: LiveDatabase | null,
): Promise<Restored> {
  const { place, file } = from
  const key = env.BACKUP_KEY ?? null
  const { header } = await checkBackup(place.read(file), nameOf(from), key)
  splitMigrations(header, await readRelease())
  if (live?.isApplied) await requireReadable(live.address)
  const { plain } = await decrypt(place.read(file), nameOf(from), key)
  const opened = await BackupReader.open(unpack(plain))
  try {
    const filling = {
      fill: (pool: Pool) => fillDatabase(pool, opened, live, env),
      authSecret: header.authSecret,
    }
    const filled = isUrl(into) ? await restoreUrl(into, filling, env) : await restoreFolder(path.resolve(into), filling)
    const { schema, takenAt } = header
    return { into: isUrl(into) ? withoutPassword(into) : path.resolve(into), schema, takenAt, ...filled }
  } finally {
    await opened.reader.close()
  }
}
