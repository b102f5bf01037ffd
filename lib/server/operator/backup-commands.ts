import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { Command } from "commander"
import { nameOf } from "@/lib/server/backup/backup-place"
import { checkBackup } from "@/lib/server/backup/check-backup"
import { keepNewest } from "@/lib/server/backup/keep-newest"
import { liveDatabase } from "@/lib/server/backup/live-database"
import { openFile } from "@/lib/server/backup/open-place"
import { type Restored, restoreBackup } from "@/lib/server/backup/restore-target"
import { backUp, refuseRunningServer } from "@/lib/server/backup/scheduled-backup"
import { readEnv } from "@/lib/server/platform/env"
import { formatExactUsd } from "@/lib/shared/format"
import { pico, usd12 } from "@/lib/shared/money"
import { whole } from "./arguments"
import { describeEnded, endedJson } from "./describe-ended"
import { facts, type Outcome, type RunCommand } from "./outcome"
import { rehearse } from "./rehearse-command"

const MAX_KEEP = 10_000

/** Returns a fact about a list, or none when the list is empty. */
const listed = (label: string, names: string[]): [string, string][] =>
  names.length > 0 ? [[label, names.join(", ")]] : []

async function create(file: string, keep: number | null): Promise<Outcome> {
  const env = readEnv()
  const target = openFile(env, file)
  const { bytes, sha256, schema, takenAt, isEncrypted, leftOut } = await backUp(env, target)
  const removed = keep === null ? [] : await keepNewest(target, keep)
  const text = facts([
    ["Backup", nameOf(target)],
    ["Bytes", String(bytes)],
    ["SHA-256", sha256],
    ["Schema", schema],
    ["Taken at", takenAt.toISOString()],
    ["Encrypted", isEncrypted ? "yes" : "no"],
    ["Read back", "checksum, tables, rows and balances are right"],
    ...listed("Left out", leftOut),
    ...listed(
      "Removed",
      removed.map((old) => path.basename(old)),
    ),
  ])
  const json = { file: nameOf(target), bytes, sha256, schema, taken_at: takenAt.toISOString() }
  return { json: { ...json, encrypted: isEncrypted, left_out: leftOut }, text }
}

async function verify(address: string): Promise<Outcome> {
  const env = readEnv()
  const file = openFile(env, address)
  const found = await checkBackup(file.place.read(file.file), nameOf(file), env.BACKUP_KEY ?? null)
  const { header, bytes, sha256, isEncrypted, tables, balancePico, ledgerPico } = found
  const rows = Object.values(tables).reduce((sum, count) => sum + count, 0)
  const text = facts([
    ["Backup", nameOf(file)],
    ["Bytes", String(bytes)],
    ["SHA-256", sha256],
    ["Schema", header.schema],
    ["Taken at", header.takenAt],
    ["Encrypted", isEncrypted ? "yes" : "no"],
    ["Tables", String(Object.keys(tables).length)],
    ["Rows", String(rows)],
    ["Balances", formatExactUsd(pico(balancePico))],
  ])
  const json = {
    ...{ file: nameOf(file), bytes, sha256, schema: header.schema, taken_at: header.takenAt, encrypted: isEncrypted },
    ...{ tables, rows, balance_usd: usd12(pico(balancePico)), ledger_usd: usd12(pico(ledgerPico)) },
  }
  if (balancePico === ledgerPico) return { json, text }
  return { json, text, complaint: "The balances in the backup differ from its ledger, as they did in the database." }
}

const restoredFacts = ({ into, takenAt, schema, rows }: Restored, leftOut: string[]): [string, string][] => [
  ["Restored into", into],
  ["Taken at", takenAt],
  ["Schema", schema],
  ["Rows", String(rows)],
  ...listed("Left out", leftOut),
]

const restoredJson = ({ into, takenAt, schema, rows }: Restored, leftOut: string[]) => ({
  ...{ into, schema, taken_at: takenAt, rows, left_out: leftOut },
})

async function copy(into: string): Promise<Outcome> {
  const env = readEnv()
  await refuseRunningServer(env)
  const folder = await mkdtemp(path.join(tmpdir(), "svcd-copy-"))
  const file = openFile(env, path.join(folder, "copy.backup"))
  try {
    const { leftOut } = await backUp(env, file)
    const restored = await restoreBackup(file, into, env, null)
    return { json: restoredJson(restored, leftOut), text: facts(restoredFacts(restored, leftOut)) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface RestoreOptions {
  into: string
  reapply?: string
}

async function restore(file: string, { into, reapply }: RestoreOptions): Promise<Outcome> {
  const env = readEnv()
  const live = reapply === undefined ? liveDatabase(env, into) : { address: reapply, isApplied: true }
  const restored = await restoreBackup(openFile(env, file), into, env, live)
  const text = facts([...restoredFacts(restored, restored.leftOut), ...describeEnded(restored)])
  return { json: { ...restoredJson(restored, restored.leftOut), ended_since: endedJson(restored) }, text }
}

const INTO = "a folder that is missing or empty, or postgres://…"
const FILE = "a file that `backup create` wrote, or s3://BUCKET/KEY"

const createCommand = (act: RunCommand): Command =>
  new Command("create")
    .description("write everything to a new file, also while the service runs, and read it back")
    .argument("<file>", "the file to create, or s3://BUCKET/KEY")
    .option(
      "--keep <n>",
      "then keep only the newest n backups there whose names differ only in digits",
      whole(1, MAX_KEEP),
    )
    .action((file: string, { keep = null }: { keep?: number | null }) => act(() => create(file, keep), "settings"))

/** `backup create|verify|rehearse|restore|copy` */
export function backupCommands(act: RunCommand): Command {
  return new Command("backup")
    .description("back up the database and restore it")
    .addCommand(createCommand(act))
    .addCommand(
      new Command("verify")
        .description("check a backup: its checksum, tables, rows and balances")
        .argument("<file>", FILE)
        .action((file: string) => act(() => verify(file), "settings")),
    )
    .addCommand(
      new Command("rehearse")
        .description("restore a backup into a temporary database, verify its whole ledger and remove the database")
        .argument("[file]", `${FILE}. By default the newest scheduled one`)
        .action((file?: string) => act(() => rehearse(file ? openFile(readEnv(), file) : null), "settings")),
    )
    .addCommand(
      new Command("restore")
        .description("restore a backup into a new data folder or an empty database")
        .argument("<file>", FILE)
        .requiredOption("--into <target>", INTO)
        .option(
          "--reapply <from>",
          "the live database, a folder or postgres://…: end what ended there since the backup",
        )
        .action((file: string, options: RestoreOptions) => act(() => restore(file, options), "settings")),
    )
    .addCommand(
      new Command("copy")
        .description("copy the database, through a temporary backup")
        .requiredOption("--into <target>", INTO)
        .action(({ into }: { into: string }) => act(() => copy(into), "settings")),
    )
}
