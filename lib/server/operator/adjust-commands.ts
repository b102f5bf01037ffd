import { openAsBlob } from "node:fs"
import { Command } from "commander"
import { creditAccounts } from "@/lib/server/accounts/credit-accounts"
import { adjustBalance } from "@/lib/server/ledger/adjust-balance"
import { type AccountOperator, OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { countOf, formatExactUsd } from "@/lib/shared/format"
import { type Pico, usd12 } from "@/lib/shared/money"
import { readCreditsFile } from "@/lib/shared/operator/credits-file"
import { amountUsd, file, note, reference } from "./arguments"
import { ACCOUNT, operatorOn } from "./named-account"
import type { Outcome, RunCommand } from "./outcome"

type View = (actor: AccountOperator) => Promise<Outcome>

interface AdjustOptions {
  note?: string
  reference?: string
  file?: string
}

const REPEATED = "The account has a change with this reference and amount already, so nothing was changed."

async function adjust(
  kind: "credit" | "debit",
  view: View,
  named: string,
  input: { amountPico: Pico; note: string; reference: string | null },
): Promise<Outcome> {
  const actor = await operatorOn(named)
  const { isNew } = await adjustBalance(runtime(), actor, { kind, ...input })
  const { json, text } = await view(actor)
  return { json: { ...json, repeated: !isNew }, text: isNew ? text : `${REPEATED}\n\n${text}` }
}

async function creditFile(path: string): Promise<Outcome> {
  const lines = await readCreditsFile(await openAsBlob(path))
  const { credited, creditedPico, repeated } = await creditAccounts(runtime(), OPERATOR, { lines })
  return {
    json: { credited, credited_usd: usd12(creditedPico), repeated },
    text: `Credited ${formatExactUsd(creditedPico)} by ${countOf(credited, "line")}. ${countOf(repeated, "line")} had been credited before.`,
  }
}

const NOTE = "the reason, shown in the account's ledger"
const REFERENCE = "your own id of this change, such as that of a ticket; repeating it changes nothing"

const adjustCommand = (kind: "credit" | "debit", description: string): Command =>
  new Command(kind).description(description).option("--reference <text>", REFERENCE, reference)

/** `account credit` */
export function creditCommand(act: RunCommand, view: View): Command {
  const command = adjustCommand("credit", "add to an account's balance, or with --file to those of many")
    .argument("[account]", ACCOUNT)
    .argument("[usd]", "an amount such as 5 or 0.50", amountUsd)
    .option("--note <text>", NOTE, note)
    .option(
      "--file <csv>",
      "a CSV file with the columns account,amount_usd,reference,note, of which all or none is credited",
      file,
    )
  return command.action((named: string | undefined, amountPico: Pico | undefined, options: AdjustOptions) => {
    if (options.file !== undefined) {
      if (named !== undefined || options.note !== undefined || options.reference !== undefined)
        return command.error("error: --file takes the accounts, references and notes from the file")
      const path = options.file
      return act(() => creditFile(path))
    }
    if (named === undefined || amountPico === undefined || options.note === undefined)
      return command.error("error: give an account, an amount and --note, or --file")
    const input = { amountPico, note: options.note, reference: options.reference ?? null }
    return act(() => adjust("credit", view, named, input))
  })
}

/** `account debit` */
export const debitCommand = (act: RunCommand, view: View): Command =>
  adjustCommand("debit", "subtract from an account's balance")
    .argument("<account>", ACCOUNT)
    .argument("<usd>", "an amount such as 5 or 0.50", amountUsd)
    .requiredOption("--note <text>", NOTE, note)
    .action((named: string, amountPico: Pico, options: AdjustOptions & { note: string }) =>
      act(() => adjust("debit", view, named, { amountPico, note: options.note, reference: options.reference ?? null })),
    )
