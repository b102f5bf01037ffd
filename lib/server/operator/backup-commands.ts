import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { Command } from "commander"
import { keepNewest } from "@/lib/server/backup/keep-newest"
import { restoreBackup } from "@/lib/server/backup/restore-target"
import { backUp, refuseRunningServer } from "@/lib/server/backup/scheduled-backup"
import { readEnv } from "@/lib/server/platform/env"
import { whole } from "./arguments"
import { facts, type Outcome, type RunCommand } from "./outcome"

const MAX_KEEP = 10_000

async function create(file: string, keep: number | null): Promise<Outcome> {
  const backup = await backUp(readEnv(), file)
  const removed = keep === null ? [] : await keepNewest(backup.file, keep)
  const { bytes, sha256, schema, takenAt } = backup
  const text = facts([
    ["Backup", backup.file],
    ["Bytes", String(bytes)],
    ["SHA-256", sha256],
    ["Schema", schema],
    ["Taken at", takenAt.toISOString()],
    ...(removed.length > 0
      ? [["Removed", removed.map((old) => path.basename(old)).join(", ")] as [string, string]]
      : []),
  ])
  return { json: { file: backup.file, bytes, sha256, schema, taken_at: takenAt.toISOString() }, text }
}

async function copy(into: string): Promise<Outcome> {
  const env = readEnv()
  await refuseRunningServer(env)
  const folder = await mkdtemp(path.join(tmpdir(), "svcd-copy-"))
  try {
    const { file } = await backUp(env, path.join(folder, "copy.backup"))
    return await restore(file, into)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function restore(file: string, into: string): Promise<Outcome> {
  const restored = await restoreBackup(path.resolve(file), into, readEnv())
  const { schema, takenAt, rows } = restored
  const text = facts([
    ["Restored into", restored.into],
    ["Taken at", takenAt],
    ["Schema", schema],
    ["Rows", String(rows)],
  ])
  return { json: { into: restored.into, schema, taken_at: takenAt, rows }, text }
}

const INTO = "a folder that is missing or empty, or postgres://…"

/** `backup create|restore|copy` */
export function backupCommands(act: RunCommand): Command {
  return new Command("backup")
    .description("back up the database and restore it")
    .addCommand(
      new Command("create")
        .description("write everything to a new file, also while the service runs")
        .argument("<file>", "the file to create")
        .option(
          "--keep <n>",
          "then keep only the newest n backups there whose names differ only in digits",
          whole(1, MAX_KEEP),
        )
        .action((file: string, { keep = null }: { keep?: number | null }) => act(() => create(file, keep), "settings")),
    )
    .addCommand(
      new Command("restore")
        .description("restore a backup into a new data folder or an empty database")
        .argument("<file>", "a file that `backup create` wrote")
        .requiredOption("--into <target>", INTO)
        .action((file: string, { into }: { into: string }) => act(() => restore(file, into), "settings")),
    )
    .addCommand(
      new Command("copy")
        .description("copy the database, through a temporary backup")
        .requiredOption("--into <target>", INTO)
        .action(({ into }: { into: string }) => act(() => copy(into), "settings")),
    )
}
