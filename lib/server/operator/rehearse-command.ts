import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { type BackupFile, nameOf } from "@/lib/server/backup/backup-place"
import { newestBackup, recordRehearsal } from "@/lib/server/backup/rehearsal"
import { type Restored, restoreBackup } from "@/lib/server/backup/restore-target"
import { type Verification, verifyLedger } from "@/lib/server/ledger/verify-ledger"
import { readSecretOf } from "@/lib/server/platform/auth-secret"
import { openPool } from "@/lib/server/platform/db/connect"
import { startEmbedded } from "@/lib/server/platform/db/embedded"
import { type Env, readEnv } from "@/lib/server/platform/env"
import { createRuntime } from "@/lib/server/start/create-runtime"
import { facts, type Outcome } from "./outcome"

/** Verifies the whole ledger of a restored data folder, as `ledger verify --all` does. */
async function verifyFolder(dir: string, env: Env): Promise<Verification> {
  const embedded = await startEmbedded(dir, "command")
  const pool = openPool(embedded.config)
  try {
    const secret = env.AUTH_SECRET ?? (await readSecretOf(dir)) ?? undefined
    const { runtime, close } = await createRuntime(readEnv({ DATA_DIR: dir, AUTH_SECRET: secret }), pool, {
      role: "command",
    })
    return await verifyLedger(runtime, { all: true }).finally(close)
  } finally {
    await pool.end()
    await embedded.release()
  }
}

interface Rehearsal {
  restored: Restored
  verification: Verification
  restoredInMs: number
  verifiedInMs: number
}

/** Restores a backup into a temporary folder, verifies its ledger and removes the folder. */
async function rehearseFile(file: BackupFile, env: Env): Promise<Rehearsal> {
  const folder = await mkdtemp(path.join(tmpdir(), "svcd-rehearsal-"))
  const into = path.join(folder, "data")
  try {
    const startedAt = performance.now()
    const restored = await restoreBackup(file, into, env, null)
    const restoredAt = performance.now()
    const verification = await verifyFolder(into, env)
    const verifiedInMs = Math.round(performance.now() - restoredAt)
    return { restored, verification, restoredInMs: Math.round(restoredAt - startedAt), verifiedInMs }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

/** `backup rehearse`: proves that the newest backup can be restored, and records when. */
export async function rehearse(given: BackupFile | null): Promise<Outcome> {
  const env = readEnv()
  const file = given ?? (await newestBackup(env))
  const { restored, verification, restoredInMs, verifiedInMs } = await rehearseFile(file, env)
  const { schema, takenAt, rows, leftOut } = restored
  const { ok, checks } = verification
  if (ok) await recordRehearsal(env)
  const text = facts([
    ["Backup", nameOf(file)],
    ["Taken at", takenAt],
    ["Schema", schema],
    ["Restored", `${rows} rows in ${seconds(restoredInMs)}, into a temporary database`],
    ...(leftOut.length > 0 ? [["Left out", leftOut.join(", ")] as [string, string]] : []),
    [
      "Ledger",
      `${checks.filter((check) => check.ok).length} of ${checks.length} checks hold, in ${seconds(verifiedInMs)}`,
    ],
    ["Removed", "the temporary database"],
  ])
  const json = {
    ok,
    ...{ file: nameOf(file), taken_at: takenAt, schema, rows, left_out: leftOut },
    ...{ restored_in_ms: restoredInMs, verified_in_ms: verifiedInMs, checks },
  }
  if (ok) return { json, text }
  const failing = checks.filter((check) => !check.ok).map(({ name, violations }) => `${name} (${violations})`)
  return { json, text, complaint: `The ledger in the backup violates: ${failing.join("; ")}.` }
}
