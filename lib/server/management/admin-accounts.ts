import { z } from "zod"
import { createAccount } from "@/lib/server/accounts/create-account"
import { type AccountOverview, readAccountFacts } from "@/lib/server/accounts/get-account"
import { listAccounts } from "@/lib/server/accounts/list-accounts"
import { setAccountRates } from "@/lib/server/accounts/set-account-rates"
import { setAccountStatus } from "@/lib/server/auth/account-status"
import type { OperatorActor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { parsePublicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { EmailAddress } from "@/lib/shared/auth/schema"
import { ServiceError } from "@/lib/shared/errors"
import { usd12 } from "@/lib/shared/money"
import { MAX_REQUESTS_PER_SECOND } from "@/lib/shared/operator/forms"
import { AccountFilter } from "@/lib/shared/operator/search"
import { Id, Next, Time, Usd } from "./admin-fields"
import { admin, onAccount } from "./admin-operation"
import { type Operation, PageQuery } from "./operation"

const STATUS = z.enum(["active", "suspended", "closed"])
const rate = z.int().min(1).max(MAX_REQUESTS_PER_SECOND)

const LISTED = {
  id: Id("acc", "The account's public id."),
  name: z.string().nullable().meta({ description: "What an owner called it." }),
  email: z.string().nullable().meta({ description: "The address of its first owner." }),
  status: STATUS,
  created_at: Time("When it was created."),
  balance_usd: Usd("The balance; it can be negative."),
  spent_30_days_usd: Usd("What was charged in the last 30 days."),
}

export const AdminAccount = z.strictObject({
  ...LISTED,
  held_usd: Usd("What requests in flight hold of the balance."),
  requests_per_second: z.int().meta({ description: "Of all keys together." }),
  requests_per_second_per_key: z.int().meta({ description: "Of each key." }),
})

const viewOf = (account: Omit<AccountOverview, "keys">): z.input<typeof AdminAccount> => ({
  id: account.id,
  name: account.name,
  email: account.email || null,
  status: STATUS.parse(account.status),
  created_at: account.createdAt,
  balance_usd: usd12(account.balancePico),
  spent_30_days_usd: usd12(account.spentPico),
  held_usd: usd12(account.heldPico),
  requests_per_second: account.requestsPerSecond,
  requests_per_second_per_key: account.requestsPerSecondPerKey,
})

export const readAccount = async (runtime: Runtime, accountId: string) =>
  viewOf(await readAccountFacts(runtime, accountId))

type VersionRow = Row<"Account", "status" | "requests_per_second" | "requests_per_second_per_key">

const VERSION = "SELECT status, requests_per_second, requests_per_second_per_key FROM account WHERE id = $1"

/** What programs change of an account. Its balance changes with every charge and is no part of the version. */
const version: Operation<OperatorActor>["version"] = async (client, { account }, lock) => {
  const { rows } = await client.query<VersionRow>(`${VERSION} ${lock}`, [parsePublicId("acc", account ?? "")])
  if (!rows[0]) throw new ServiceError("not_found", { message: "There is no such account." })
  return JSON.stringify(rows[0])
}

const READS = { tag: "Accounts", right: "service.read" } as const
const CHANGES = { tag: "Accounts", right: "service.operate" } as const

/** The accounts of the admin API. */
export const ACCOUNT_OPERATIONS: readonly Operation<OperatorActor>[] = [
  admin({
    ...READS,
    id: "listAccounts",
    method: "GET",
    path: "/accounts",
    summary: "List accounts",
    description: "Returns accounts, newest first.",
    verbs: ["accounts/list-accounts.ts listAccounts"],
    Query: PageQuery.extend({
      search: z.string().max(320).default("").meta({
        description:
          "The start of an e-mail address or a name, a domain, or the id of an account, key, request or payment.",
      }),
      status: AccountFilter.default("all"),
    }),
    Result: z.strictObject({ data: z.array(z.strictObject(LISTED)), next: Next }),
    run: async ({ runtime, actor, query: { limit, after, search: q, status: show } }) => {
      const { accounts, next } = await listAccounts(runtime, actor, { limit, after, q, show })
      const data = accounts.map(({ id, name, email, status, createdAt, balancePico, spentPico }) => ({
        id,
        name,
        email,
        status: STATUS.parse(status),
        created_at: createdAt,
        balance_usd: usd12(balancePico),
        spent_30_days_usd: usd12(spentPico),
      }))
      return { data, next }
    },
  }),
  admin({
    ...CHANGES,
    id: "createAccount",
    method: "POST",
    path: "/accounts",
    summary: "Create an account",
    description:
      "Creates the account of an e-mail address, as a sign-up does. For an address that has an account, returns that account and changes nothing.",
    verbs: ["accounts/create-account.ts createAccount"],
    Body: z.strictObject({ email: EmailAddress }),
    Result: AdminAccount,
    run: async ({ runtime, actor, body: { email } }) => {
      const { accountId } = await createAccount(runtime, actor, { email })
      return readAccount(runtime, accountId)
    },
  }),
  admin({
    ...READS,
    id: "getAccount",
    method: "GET",
    path: "/accounts/{account}",
    summary: "Read an account",
    verbs: ["accounts/get-account.ts getAccountOverview"],
    version,
    Result: AdminAccount,
    run: async (call) => readAccount(call.runtime, (await onAccount(call)).accountId),
  }),
  admin({
    ...CHANGES,
    id: "setAccountStatus",
    method: "PUT",
    path: "/accounts/{account}/status",
    summary: "Suspend, resume or close an account",
    description:
      "Refuses the keys of a suspended or closed account within two seconds, and ends its sessions. Closing is final. Repeating changes nothing.",
    verbs: ["auth/account-status.ts setAccountStatus"],
    hasDryRun: true,
    version,
    Body: z.strictObject({ status: STATUS }),
    Result: AdminAccount,
    run: async (call) => {
      const account = await onAccount(call)
      await setAccountStatus(call.runtime, account, call.body.status)
      return readAccount(call.runtime, account.accountId)
    },
  }),
  admin({
    ...CHANGES,
    id: "setAccountLimits",
    method: "PUT",
    path: "/accounts/{account}/limits",
    summary: "Set the rate limits of an account",
    description: "The limits apply within two seconds. Without `requests_per_second_per_key`, that of each key stays.",
    verbs: ["accounts/set-account-rates.ts setAccountRates"],
    version,
    Body: z.strictObject({ requests_per_second: rate, requests_per_second_per_key: rate.optional() }),
    Result: AdminAccount,
    run: async (call) => {
      const account = await onAccount(call)
      const { requests_per_second: perSecond, requests_per_second_per_key: perKey = null } = call.body
      await setAccountRates(call.runtime, account, { perSecond, perKey })
      return readAccount(call.runtime, account.accountId)
    },
  }),
]
