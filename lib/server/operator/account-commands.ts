import { Command } from "commander"
import { createAccount } from "@/lib/server/accounts/create-account"
import { OPERATOR } from "@/lib/server/platform/actor"
import type { Pico } from "@/lib/shared/money"
import { accountView, findAccountId } from "./account-view"
import { adjustBalance } from "./adjust-balance"
import { amountUsd, note, whole } from "./arguments"
import type { Act } from "./command-line"
import { setAccountRates } from "./set-account-rates"

const MOST_PER_SECOND = 1_000_000
const EMAIL = "the address that the account was made for"

function adjusting(act: Act, kind: "credit" | "debit", description: string): Command {
  return new Command(kind)
    .description(description)
    .argument("<email>", EMAIL)
    .argument("<usd>", "an amount such as 5 or 0.50", amountUsd)
    .requiredOption("--note <text>", "why, for the account's ledger", note)
    .action((email: string, amountPico: Pico, options: { note: string }) =>
      act(async () => accountView(await adjustBalance(email, { kind, amountPico, note: options.note }))),
    )
}

/** `account create|show|credit|debit|limits` */
export function accountCommands(act: Act): Command {
  const rate = whole(1, MOST_PER_SECOND)
  return new Command("account")
    .description("accounts, their balance and their rates")
    .addCommand(
      new Command("create")
        .description("make an account, as a sign-up does")
        .argument("<email>", "the address of its owner")
        .action((email: string) => act(async () => accountView((await createAccount(OPERATOR, { email })).accountId))),
    )
    .addCommand(
      new Command("show")
        .description("show an account with its keys")
        .argument("<email>", EMAIL)
        .action((email: string) => act(async () => accountView(await findAccountId(email)))),
    )
    .addCommand(adjusting(act, "credit", "add to an account's balance"))
    .addCommand(adjusting(act, "debit", "take from an account's balance"))
    .addCommand(
      new Command("limits")
        .description("set how many requests per second an account and its keys may make")
        .argument("<email>", EMAIL)
        .requiredOption("--per-second <n>", "for the account", rate)
        .option("--per-key <n>", "for each of its keys", rate)
        .action((email: string, { perSecond, perKey }: { perSecond: number; perKey?: number }) =>
          act(async () => accountView(await setAccountRates(email, perSecond, perKey ?? null))),
        ),
    )
}
