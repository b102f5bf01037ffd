import { Command } from "commander"
import { createAccount } from "@/lib/server/accounts/create-account"
import { getAccountOverview } from "@/lib/server/accounts/get-account"
import { setAccountRates } from "@/lib/server/accounts/set-account-rates"
import { type AccountStatus, setAccountStatus } from "@/lib/server/auth/account-status"
import { type AccountActor, type AccountOperator, OPERATOR, operatorFor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { formatExactUsd } from "@/lib/shared/format"
import { usd12 } from "@/lib/shared/money"
import { MAX_REQUESTS_PER_SECOND } from "@/lib/shared/operator/forms"
import { creditCommand, debitCommand } from "./adjust-commands"
import { emailAddress, whole } from "./arguments"
import { listCommand } from "./list-accounts-command"
import { ACCOUNT, operatorOn } from "./named-account"
import { facts, type Outcome, type RunCommand, table } from "./outcome"

/** Returns an account with its keys, which every command on one account prints. */
async function accountView(actor: AccountActor): Promise<Outcome> {
  const account = await getAccountOverview(runtime(), actor)
  const { id, name, email, status, balancePico, heldPico, requestsPerSecond, requestsPerSecondPerKey, keys } = account
  const summary = facts([
    ["Account", `${name === null ? email : `${name}, ${email}`} (${id})`],
    ["Status", status],
    ["Balance", `${formatExactUsd(balancePico)}, of which ${formatExactUsd(heldPico)} is held`],
    ["Rates", `${requestsPerSecond} per second, ${requestsPerSecondPerKey} per key`],
  ])
  const keyTable = table(
    ["Key", "Name", "Masked", "Limit", "Period", "Spent", "Status"],
    keys.map((key) => {
      const limit = key.limitUsd === null ? null : formatExactUsd(key.limitUsd)
      return [key.id, key.name, key.masked, limit, key.period, formatExactUsd(key.spentUsd), key.status]
    }),
  )
  return {
    json: {
      id,
      name,
      email,
      status,
      balance_usd: usd12(balancePico),
      held_usd: usd12(heldPico),
      requests_per_second: requestsPerSecond,
      keys: keys.map((key) => ({
        id: key.id,
        name: key.name,
        masked: key.masked,
        limit_usd: key.limitUsd,
        period: key.period,
        spent_usd: key.spentUsd,
        status: key.status,
      })),
    },
    text: `${summary}\n\n${keyTable}`,
  }
}

async function change(named: string, work: (actor: AccountOperator) => Promise<void>): Promise<Outcome> {
  const actor = await operatorOn(named)
  await work(actor)
  return accountView(actor)
}

const statusCommand = (act: RunCommand, name: string, status: AccountStatus, description: string): Command =>
  new Command(name)
    .description(description)
    .argument("<account>", ACCOUNT)
    .action((named: string) => act(() => change(named, (actor) => setAccountStatus(runtime(), actor, status))))

/** `account create|show|list|credit|debit|limits|suspend|resume|close` */
export function accountCommands(act: RunCommand): Command {
  const rate = whole(1, MAX_REQUESTS_PER_SECOND)
  return new Command("account")
    .description("manage accounts, their balances and their rate limits")
    .addCommand(
      new Command("create")
        .description("create an account, as a sign-up does")
        .argument("<email>", "the e-mail address of the account's owner", emailAddress)
        .action((email: string) =>
          act(async () => accountView(operatorFor((await createAccount(runtime(), OPERATOR, { email })).accountId))),
        ),
    )
    .addCommand(
      new Command("show")
        .description("show an account and its keys")
        .argument("<account>", ACCOUNT)
        .action((named: string) => act(async () => accountView(await operatorOn(named)))),
    )
    .addCommand(listCommand(act))
    .addCommand(creditCommand(act, accountView))
    .addCommand(debitCommand(act, accountView))
    .addCommand(
      new Command("limits")
        .description("set how many requests per second an account and its keys may send")
        .argument("<account>", ACCOUNT)
        .requiredOption("--per-second <n>", "for the account", rate)
        .option("--per-key <n>", "for each of its keys", rate)
        .action((named: string, { perSecond, perKey = null }: { perSecond: number; perKey?: number | null }) =>
          act(() => change(named, (actor) => setAccountRates(runtime(), actor, { perSecond, perKey }))),
        ),
    )
    .addCommand(statusCommand(act, "suspend", "suspended", "refuse its keys and sign-ins until it is resumed"))
    .addCommand(statusCommand(act, "resume", "active", "let a suspended account be used again"))
    .addCommand(statusCommand(act, "close", "closed", "suspend an account for good; its credit stays in the ledger"))
}
