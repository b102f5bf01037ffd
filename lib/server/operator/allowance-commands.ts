import { Command, Option } from "commander"
import {
  endAllowance,
  listAllowances,
  type SetAllowanceInput,
  setAllowance,
} from "@/lib/server/accounts/allowance-rules"
import { findAccounts } from "@/lib/server/accounts/find-account"
import { OPERATOR } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { formatExactUsd } from "@/lib/shared/format"
import type { Pico } from "@/lib/shared/money"
import { ALLOWANCE_PER, ALLOWANCE_PER_NAMES, type AllowancePer } from "@/lib/shared/operator/allowance-per"
import { AllowanceTarget } from "@/lib/shared/operator/allowances"
import { amountUsd } from "./arguments"
import { ACCOUNT, operatorOn } from "./named-account"
import { type Outcome, type RunCommand, table } from "./outcome"

/** Lists every rule, after a change if there is one. */
async function list(): Promise<Outcome> {
  const allowances = await listAllowances(runtime(), OPERATOR)
  const rows = allowances.map(({ id, target, email, per, amountUsd: usd, carriesOver, granted, grantedUsd }) => [
    id,
    email ?? target,
    ALLOWANCE_PER[per],
    formatExactUsd(usd),
    carriesOver ? "stays" : "is debited",
    granted,
    formatExactUsd(grantedUsd),
  ])
  const text = table(["Allowance", "Of", "For", "A month", "The rest", "Credited", "This month"], rows)
  const json = allowances.map(({ id, target, email, per, amountUsd: usd, carriesOver, granted, grantedUsd }) => ({
    id,
    target,
    email,
    per,
    amount_usd: usd,
    carries_over: carriesOver,
    granted,
    granted_usd: grantedUsd,
  }))
  return { json: { allowances: json }, text }
}

/** Returns a domain, or the id of the account that a text names. Throws what `operatorForNamed` throws, and an error of the schema. */
async function targetOf(text: string): Promise<string> {
  const target = AllowanceTarget.safeParse(text)
  if (target.success) return target.data
  const isNamed = text.includes("@") || (await findAccounts(runtime(), text.trim())) !== null
  if (!isNamed) throw target.error
  return publicId("acc", (await operatorOn(text)).accountId)
}

async function set(input: SetAllowanceInput): Promise<Outcome> {
  await setAllowance(runtime(), OPERATOR, input)
  return list()
}

async function end(id: string): Promise<Outcome> {
  await endAllowance(runtime(), OPERATOR, { id })
  return list()
}

/** `allowance set|list|end` */
export function allowanceCommands(act: RunCommand): Command {
  return new Command("allowance")
    .description("credit an amount to accounts each month, by rule")
    .addCommand(
      new Command("set")
        .description("set what is credited each month; setting it again changes the amount")
        .argument("<target>", `a domain such as example.com, or an account: ${ACCOUNT}`)
        .argument("<usd>", "an amount such as 20 or 0.50", amountUsd)
        .addOption(
          new Option("--per <per>", "to each account, or to the account for each of its members")
            .choices(ALLOWANCE_PER_NAMES)
            .default("account"),
        )
        .option("--carry-over", "leave what was not spent at the end of a month to the account")
        .action(
          (target: string, amountPico: Pico, { per, carryOver = false }: { per: AllowancePer; carryOver?: boolean }) =>
            act(async () => set({ target: await targetOf(target), per, amountPico, carriesOver: carryOver })),
        ),
    )
    .addCommand(new Command("list").description("list every allowance").action(() => act(list)))
    .addCommand(
      new Command("end")
        .description("credit nothing more; what was credited stays until the end of the month")
        .argument("<id>", "alw_…, as `allowance list` prints it")
        .action((id: string) => act(() => end(id))),
    )
}
