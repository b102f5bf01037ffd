import { Command } from "commander"
import { type ListAccountsInput, listAccounts } from "@/lib/server/accounts/list-accounts"
import { OPERATOR } from "@/lib/server/platform/actor"
import { formatExactUsd } from "@/lib/shared/format"
import { usd12 } from "@/lib/shared/money"
import { whole } from "./arguments"
import { type Outcome, type RunCommand, table } from "./outcome"

const MAX_LISTED = 1_000

async function list(input: ListAccountsInput): Promise<Outcome> {
  const { accounts, next } = await listAccounts(OPERATOR, input)
  const rows = accounts.map(({ email, status, balancePico, createdAt }) => [
    email,
    status,
    formatExactUsd(balancePico),
    createdAt.slice(0, 16).replace("T", " "),
  ])
  const text = table(["Account", "Status", "Balance", "Created (UTC)"], rows)
  return {
    json: {
      accounts: accounts.map(({ email, status, balancePico, createdAt }) => ({
        email,
        status,
        balance_usd: usd12(balancePico),
        created_at: createdAt,
      })),
      next,
    },
    text: next === null ? text : `${text}\n\nMore: add --after ${next}`,
  }
}

export const listCommand = (act: RunCommand): Command =>
  new Command("list")
    .description("list accounts, newest first")
    .option("--limit <n>", "how many to list at once", whole(1, MAX_LISTED), 50)
    .option("--after <next>", "continue after this page: its `next`")
    .action(({ limit, after = null }: { limit: number; after?: string | null }) => act(() => list({ limit, after })))
