import { Command, CommanderError } from "commander"
import { z } from "zod"
import { BadSetting } from "@/lib/server/platform/env"
import { ServiceError } from "@/lib/shared/errors"
import { accountCommands } from "./account-commands"
import { keyCommands } from "./key-commands"
import { ledgerCommands } from "./ledger-commands"
import { modelCommands } from "./model-commands"
import type { Outcome } from "./outcome"
import { topupCommands } from "./topup-commands"

export interface Terminal {
  out(text: string): void
  err(text: string): void
}

/** Runs a command's work with the service's runtime installed. */
export type WithRuntime = (work: () => Promise<Outcome>) => Promise<Outcome>

/** Declares what a command does; how it is run, printed and ended is the same for all. */
export type Act = (work: () => Promise<Outcome>) => Promise<void>

const DONE = 0
const FAILED = 1
const USAGE = 2

/** What went wrong in one line. Of the system's own errors the first line is all an operator can use. */
function reasonOf(error: unknown): string {
  if (error instanceof ServiceError) return error.message
  if (error instanceof BadSetting) return `Bad setting: ${error.message}`
  if (error instanceof z.ZodError) return error.issues[0]?.message ?? "The input is not valid."
  const message = error instanceof Error ? error.message : String(error)
  return message.split("\n")[0] || "Something failed."
}

function createProgram(act: Act, terminal: Terminal): Command {
  const program = new Command("operator")
    .description("The operator's commands of the decision service.")
    .usage("<command> [options]     as in: npm run operator -- account show ada@example.com --json")
    .option("--json", "print one JSON object")
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError("Add --help to see how it is used.")
    .exitOverride()
  const commands = [accountCommands, keyCommands, topupCommands, modelCommands, ledgerCommands]
  const groups = commands.map((make) => make(act))
  for (const group of groups) program.addCommand(group)
  for (const command of [...groups, ...groups.flatMap((group) => group.commands)]) {
    command.copyInheritedSettings(program)
    if (command.commands.length === 0) command.option("--json", "print one JSON object")
  }
  return program
}

/** Runs one command line and answers its exit code: 0 done, 1 refused or failed, 2 not understood. */
export async function operate(args: string[], terminal: Terminal, withRuntime: WithRuntime): Promise<number> {
  const wantsJson = args.includes("--json")
  let code = DONE
  const act: Act = async (work) => {
    const { json, text, complaint } = await withRuntime(work)
    terminal.out(`${wantsJson ? JSON.stringify(json) : text}\n`)
    if (complaint === undefined) return
    terminal.err(`${complaint}\n`)
    code = FAILED
  }
  try {
    await createProgram(act, terminal).parseAsync(args, { from: "user" })
    return code
  } catch (error) {
    // Commander has printed its own already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : USAGE
    terminal.err(`${reasonOf(error)}\n`)
    return error instanceof z.ZodError ? USAGE : FAILED
  }
}
