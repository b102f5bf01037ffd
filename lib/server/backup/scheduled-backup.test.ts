import { mkdir, readdir, rename, rm, rmdir, utimes, writeFile } from "node:fs/promises"
import path from "node:path"
import { expect, it, vi } from "vitest"
import { runtime } from "@/lib/server/platform/runtime"
import { HOUR_MS } from "@/lib/shared/time"
import { testRuntime } from "@/test/database"
import { tempFolder } from "@/test/temp-folder"
import { waitsForLock } from "@/test/waits-for-lock"
import { BackupRefused } from "./backup-format"
import { reportBackupDir } from "./backup-marker"
import { FolderPlace } from "./folder-place"
import { backUpWhenDue, lastBackupAt } from "./scheduled-backup"

const dir = tempFolder()
const { databaseUrl, env } = await testRuntime({
  BACKUP_EVERY_HOURS: "24",
  BACKUP_KEEP: "2",
  DATA_DIR: dir,
})
runtime().env = { ...env, DATABASE_URL: databaseUrl }
const MARKER = ".decision-service-backups"
const files = async () => (await readdir(path.join(dir, "backups"))).filter((name) => name !== MARKER)

it("is made by one of several processes when it is due, and the newest are kept", async () => {
  const now = Date.now()
  const first = await Promise.all([1, 2, 3].map(() => backUpWhenDue(runtime(), new Date(now))))
  expect(first.filter((backup) => backup !== null)).toHaveLength(1)
  expect(await files()).toEqual([expect.stringMatching(/^decisions-\d{8}T\d{6}Z\.backup$/)])
  expect(await backUpWhenDue(runtime(), new Date(now + 23 * HOUR_MS))).toBeNull()
  for (const days of [2, 3]) expect(await backUpWhenDue(runtime(), new Date(now + 24 * days * HOUR_MS))).not.toBeNull()
  expect(await files()).toHaveLength(2)
  const last = await lastBackupAt(runtime().pool)
  expect(Math.abs((last?.getTime() ?? 0) - Date.now())).toBeLessThan(HOUR_MS)
})

it("leaves no file when it cannot be recorded", async () => {
  const { pool } = runtime()
  const before = await files()
  await pool.query("ALTER TABLE backup ADD CONSTRAINT none CHECK (false) NOT VALID")
  await expect(backUpWhenDue(runtime(), new Date(Date.now() + 500 * HOUR_MS))).rejects.toThrow("none")
  await pool.query("ALTER TABLE backup DROP CONSTRAINT none")
  expect(await files()).toEqual(before)
})

it("reports why it failed when its file cannot be removed either", async () => {
  const [write, remove] = [vi.spyOn(FolderPlace.prototype, "write"), vi.spyOn(FolderPlace.prototype, "remove")]
  write.mockRejectedValue(new Error("the share is full"))
  remove.mockRejectedValue(new Error("there is no such file"))
  try {
    await expect(backUpWhenDue(runtime(), new Date(Date.now() + 550 * HOUR_MS))).rejects.toThrow("the share is full")
  } finally {
    write.mockRestore()
    remove.mockRestore()
  }
})

it("removes no older file when the new one cannot be read back", async () => {
  const before = await files()
  const app = runtime()
  const write = vi.spyOn(FolderPlace.prototype, "write").mockRejectedValue(new BackupRefused("not what was sent"))
  try {
    const keepOne = { ...app, env: { ...app.env, BACKUP_KEEP: 1 } }
    await expect(backUpWhenDue(keepOne, new Date(Date.now() + 600 * HOUR_MS))).rejects.toThrow("not what was sent")
  } finally {
    write.mockRestore()
  }
  expect(before).toHaveLength(2)
  expect(await files()).toEqual(before)
})

it("ends at once when the process stops, even while it waits for a lock, and leaves no file", async () => {
  const before = await files()
  const blocker = await runtime().pool.connect()
  await blocker.query("BEGIN; LOCK app_user IN ACCESS EXCLUSIVE MODE")
  const stopping = new AbortController()
  const due = new Date(Date.now() + 700 * HOUR_MS)
  const ended = expect(backUpWhenDue(runtime(), due, stopping.signal)).rejects.toThrow("Connection terminated")
  await waitsForLock()
  expect(await files()).toHaveLength(before.length + 1)
  stopping.abort()
  await ended
  expect(await files()).toEqual(before)
  await expect(backUpWhenDue(runtime(), due, stopping.signal)).rejects.toThrow("aborted")
  await blocker.query("ROLLBACK")
  blocker.release()
})

it("removes the old partial backup of a killed process, and no other file", async () => {
  const before = await files()
  const fresh = ".decisions-20261101T000000Z.backup.ba9876543210.part"
  const [left, others] = [
    ".decisions-20261101T000000Z.backup.0123456789ab.part",
    [".decisions-by-hand.backup.0123456789ab.part", ".decisions-20261101T000000Z.backup.part", fresh],
  ]
  for (const name of [left, ...others]) {
    const file = path.join(dir, "backups", name)
    await writeFile(file, "half of it")
    const at = new Date(Date.now() - (name === fresh ? 0 : HOUR_MS))
    await utimes(file, at, at)
  }
  await backUpWhenDue(runtime(), new Date(Date.now() + 900 * HOUR_MS))
  const hidden = (await files()).filter((name) => name.startsWith("."))
  expect(hidden.toSorted()).toEqual(others.toSorted())
  expect(await files()).toHaveLength(before.length + others.length)
})

it("is refused, and reported at the start, when the folder that had backups lacks its marker", async () => {
  const app = runtime()
  await rename(path.join(dir, "backups"), path.join(dir, "mounted"))
  await mkdir(path.join(dir, "backups"))
  const errors = vi.spyOn(app.log, "error").mockImplementation(() => {})
  try {
    // Also long before one is due.
    await expect(backUpWhenDue(app, new Date())).rejects.toThrow(`lacks its marker ${MARKER}: mount its share`)
    await reportBackupDir(app)
    const fields = { event: "backup_dir.not_mounted", reason: path.join(dir, "backups") }
    expect(errors.mock.calls.map(([, given]) => given)).toEqual([fields])
    expect(await readdir(path.join(dir, "backups"))).toEqual([])
    await writeFile(path.join(dir, "mounted/.not-mounted"), "")
    await rmdir(path.join(dir, "backups"))
    await rename(path.join(dir, "mounted"), path.join(dir, "backups"))
    await expect(backUpWhenDue(app, new Date())).rejects.toThrow("has a file .not-mounted: mount its share")
    await rm(path.join(dir, "backups/.not-mounted"))
    await reportBackupDir(app)
    expect(errors).toHaveBeenCalledTimes(1)
    expect(await backUpWhenDue(app, new Date())).toBeNull()
  } finally {
    errors.mockRestore()
  }
})

it("is not made without BACKUP_EVERY_HOURS", async () => {
  const app = runtime()
  app.env = { ...app.env, BACKUP_EVERY_HOURS: 0 }
  expect(await backUpWhenDue(runtime(), new Date(Date.now() + 1_000 * HOUR_MS))).toBeNull()
})
