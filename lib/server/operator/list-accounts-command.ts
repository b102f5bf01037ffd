import { Command, Option } from "commander"
import { type AccountTotals, getAccountTotals } from "@/lib/server/accounts/account-totals"
import { type ListAccountsInput, listAccounts } from "@/lib/server/accounts/list-accounts"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { formatExactUsd } from "@/lib/shared/format"
import { usd12 } from "@/lib/shared/money"
import { AccountFilter } from "@/lib/shared/operator/search"
import { whole } from "./arguments"
import { facts, type Outcome, type RunCommand, table } from "./outcome"

const MAX_LISTED = 1_000

const totalsText = (totals: AccountTotals): string =>
  facts([
    ["Accounts", `${totals.accounts}: ${totals.active} active, ${totals.suspended} suspended, ${totals.closed} closed`],
    ["Balances", `${formatExactUsd(totals.balancePico)}, of which ${formatExactUsd(totals.heldPico)} is held`],
    ["Below zero", String(totals.negative)],
  ])

const totalsJson = ({ balancePico, heldPico, ...counts }: AccountTotals) => ({
  ...counts,
  balance_usd: usd12(balancePico),
  held_usd: usd12(heldPico),
})

async function list(input: ListAccountsInput): Promise<Outcome> {
  const { accounts, next } = await listAccounts(runtime(), OPERATOR, input)
  const totals = await getAccountTotals(runtime(), OPERATOR)
  const rows = accounts.map(({ name, email, status, balancePico, spentPico, createdAt }) => [
    email,
    name,
    status,
    formatExactUsd(balancePico),
    formatExactUsd(spentPico),
    createdAt.slice(0, 16).replace("T", " "),
  ])
  const text = table(["Account", "Name", "Status", "Balance", "Spent in 30 days", "Created (UTC)"], rows)
  const shown = `${text}\n\n${totalsText(totals)}`
  return {
    json: {
      accounts: accounts.map(({ id, name, email, status, balancePico, spentPico, createdAt }) => ({
        id,
        name,
        email,
        status,
        balance_usd: usd12(balancePico),
        spent_30_days_usd: usd12(spentPico),
        created_at: createdAt,
      })),
      next,
      totals: totalsJson(totals),
    },
    text: next === null ? shown : `${shown}\n\nMore: add --after ${next}`,
  }
}

interface ListOptions {
  limit: number
  after?: string | null
  search?: string
  show: AccountFilter
}

export const listCommand = (act: RunCommand): Command =>
  new Command("list")
    .description("list accounts, newest first")
    .option("--limit <n>", "how many to list at once", whole(1, MAX_LISTED), 50)
    .option("--after <next>", "continue after this page: its `next`")
    .option(
      "--search <text>",
      "the start of an e-mail address or a name, a domain, or the id of an account, key, request or payment",
    )
    .addOption(new Option("--show <which>", "which accounts").choices(AccountFilter.options).default("all"))
    .action(({ limit, after = null, search = "", show }: ListOptions) =>
      act(() => list({ limit, after, q: search, show })),
    )
