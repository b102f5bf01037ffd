import { Command, CommanderError } from "commander"
import { z } from "zod"
import { keepLedgerCheck } from "@/lib/server/ledger/check-runs"
import { verifyLedger } from "@/lib/server/ledger/verify-ledger"
import { BadSetting } from "@/lib/server/platform/env"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { accountCommands } from "./account-commands"
import { allowanceCommands } from "./allowance-commands"
import { auditCommands } from "./audit-commands"
import { backupCommands } from "./backup-commands"
import { fleetCommand } from "./fleet-command"
import { keyCommands } from "./key-commands"
import { migrateCommand } from "./migrate-command"
import { modelCommands } from "./model-commands"
import { operatorCommands } from "./operator-commands"
import type { Outcome, RunCommand, WithRuntime } from "./outcome"
import { personCommands } from "./person-commands"
import { signingCommands } from "./signing-commands"
import { tokenCommands } from "./token-commands"
import { topupCommands } from "./topup-commands"

export interface Terminal {
  out(text: string): void
  err(text: string): void
}

const DONE = 0
const FAILED = 1
const USAGE = 2

function reasonOf(error: unknown): string {
  if (error instanceof ServiceError) return error.message
  if (error instanceof BadSetting) return `Bad setting: ${error.message}`
  if (error instanceof z.ZodError) return error.issues[0]?.message ?? "The input is not valid."
  const message = error instanceof Error ? error.message : String(error)
  return message.split("\n")[0] || "Something failed."
}

async function verify(all: boolean): Promise<Outcome> {
  const startedAt = new Date()
  const { ok, since, checks } = await verifyLedger(runtime(), { all })
  await keepLedgerCheck(runtime(), startedAt, checks)
  const failing = checks.filter((check) => !check.ok)
  const text = checks.map(
    (check) => `${check.ok ? "ok  " : "FAIL"}  ${check.name}${check.ok ? "" : ` (${check.violations})`}`,
  )
  const scope = since
    ? `Checked what came after the checkpoint of ${since.toISOString()}. To check everything, add --all.`
    : "Checked everything."
  const json = { ok, since: since?.toISOString() ?? null, checks }
  if (ok) return { json, text: [...text, scope].join("\n") }
  const complaint = `The ledger violates: ${failing.map((check) => `${check.name} (${check.violations})`).join("; ")}.`
  return { json, text: [...text, scope].join("\n"), complaint }
}

/** `ledger verify` */
const ledgerCommands = (act: RunCommand): Command =>
  new Command("ledger").description("check the ledger").addCommand(
    new Command("verify")
      .description("check every invariant of the ledger after the last checkpoint; exits with 1 on a violation")
      .option("--all", "check everything")
      .action(({ all = false }: { all?: boolean }) => act(() => verify(all))),
  )

/** Creates the program with every command. Each prints one JSON object with `--json`. */
export function createProgram(act: RunCommand, terminal: Terminal): Command {
  const program = new Command("operator")
    .description("Operator commands of the decision service.")
    .usage("<command> [options]     as in: npm run operator -- account show ada@example.com --json")
    .option("--json", "print one JSON object")
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError("Add --help for usage.")
    .exitOverride()
  const commands = [
    accountCommands,
    allowanceCommands,
    operatorCommands,
    keyCommands,
    personCommands,
    topupCommands,
    modelCommands,
    ledgerCommands,
    signingCommands,
    auditCommands,
    tokenCommands,
    fleetCommand,
    migrateCommand,
    backupCommands,
  ]
  const groups = commands.map((create) => create(act))
  for (const group of groups) program.addCommand(group)
  for (const command of [...groups, ...groups.flatMap((group) => group.commands)]) {
    command.copyInheritedSettings(program)
    if (command.commands.length === 0) command.option("--json", "print one JSON object")
  }
  return program
}

/** Runs one command line. Returns its exit code: 0 done, 1 refused or failed, 2 wrong usage. */
export async function operate(args: string[], terminal: Terminal, withRuntime: WithRuntime): Promise<number> {
  const wantsJson = args.includes("--json")
  let code = DONE
  const act: RunCommand = async (work, needs = "runtime") => {
    const { json, text, complaint } = await withRuntime(work, needs)
    terminal.out(`${wantsJson ? JSON.stringify(json) : text}\n`)
    if (complaint === undefined) return
    terminal.err(`${complaint}\n`)
    code = FAILED
  }
  try {
    await createProgram(act, terminal).parseAsync(args, { from: "user" })
    return code
  } catch (error) {
    // Commander has printed its own message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : USAGE
    terminal.err(`${reasonOf(error)}\n`)
    return error instanceof z.ZodError ? USAGE : FAILED
  }
}
