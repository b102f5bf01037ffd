import { randomBytes } from "node:crypto"
import * as fs from "node:fs/promises"
import path from "node:path"
import { readSecretOf, SECRET_FILE } from "@/lib/server/platform/auth-secret"
import { withConnection } from "@/lib/server/platform/db/connect"
import { startEmbedded } from "@/lib/server/platform/db/embedded"
import { type Release, readRelease } from "@/lib/server/platform/db/release"
import type { Env } from "@/lib/server/platform/env"
import { type BackupHeader, BackupReader, BackupRefused, verifyBackupFile } from "./backup-file"
import { restoreInto, splitMigrations } from "./restore-backup"

export interface Restored {
  /** The folder, or the address without its password. */
  into: string
  /** The newest migration of the backup. The restored database has the newest one of this release. */
  schema: string
  takenAt: string
  rows: number
}

interface Opened {
  header: BackupHeader
  reader: BackupReader
}

type Secret = Pick<Env, "AUTH_SECRET" | "DATA_DIR">

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
async function restoreFolder(dir: string, opened: Opened, release: Release): Promise<number> {
  const existed = await isEmptyFolder(dir)
  await fs.mkdir(dir, { recursive: true, mode: 0o700 })
  const draft = path.join(dir, `.restoring-${randomBytes(4).toString("hex")}`)
  try {
    const embedded = await startEmbedded(draft, "command")
    const rows = await withConnection(embedded.config, (pool) => restoreInto(pool, opened, release)).finally(() =>
      embedded.release(),
    )
    if (opened.header.authSecret) await writeSecret(dir, opened.header.authSecret)
    await fs.rename(path.join(draft, "postgres"), path.join(dir, "postgres"))
    await fs.rm(draft, { recursive: true })
    return rows
  } catch (error) {
    await fs.rm(existed ? draft : dir, { recursive: true, force: true })
    await fs.rm(path.join(dir, SECRET_FILE), { force: true })
    throw error
  }
}

/** Restores into a database. The generated secret goes to `DATA_DIR`, unless `AUTH_SECRET` or another one is in use there. */
async function restoreUrl(url: string, opened: Opened, release: Release, env: Secret): Promise<number> {
  const rows = await withConnection({ connectionString: url }, (pool) => restoreInto(pool, opened, release))
  const { authSecret } = opened.header
  if (authSecret && !env.AUTH_SECRET && (await readSecretOf(env.DATA_DIR)) === null) {
    await fs.mkdir(env.DATA_DIR, { recursive: true, mode: 0o700 })
    await writeSecret(env.DATA_DIR, authSecret)
  }
  return rows
}

function withoutPassword(address: string): string {
  const url = new URL(address)
  url.password = ""
  url.searchParams.delete("password")
  return url.href
}

/**
 * Restores a backup into a folder that is missing or empty, or into the empty database at a `postgres://` address. Throws
 * `BackupRefused` when the file is damaged or newer than this version, or when the target is not empty, and changes nothing then.
 */
export async function restoreBackup(file: string, into: string, env: Secret): Promise<Restored> {
  await verifyBackupFile(file)
  const release = await readRelease()
  const opened = await BackupReader.open(file)
  try {
    splitMigrations(opened.header, release)
    const isUrl = /^postgres(ql)?:\/\//.test(into)
    const rows = isUrl
      ? await restoreUrl(into, opened, release, env)
      : await restoreFolder(path.resolve(into), opened, release)
    const { schema, takenAt } = opened.header
    return { into: isUrl ? withoutPassword(into) : path.resolve(into), schema, takenAt, rows }
  } finally {
    await opened.reader.close()
  }
}
