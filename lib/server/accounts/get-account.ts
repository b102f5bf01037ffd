import { listKeys } from "@/lib/server/keys/read-keys"
import {
  type AccountActor,
  type AccountOperator,
  type OperatorActor,
  operatorFor,
  requireRight,
  type UserActor,
} from "@/lib/server/platform/actor"
import { prisma } from "@/lib/server/platform/db/prisma"
import type { Row } from "@/lib/server/platform/db/row"
import { parsePublicId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { spentByAccount } from "@/lib/server/usage/spent-by-account"
import type { Role } from "@/lib/shared/accounts/roles"
import { ServiceError } from "@/lib/shared/errors"
import type { KeySummary } from "@/lib/shared/keys/schema"
import { type Pico, pico } from "@/lib/shared/money"

export interface AccountSummary {
  /** `acc_…` */
  id: string
  role: Role
  /** The limit of all keys of the account together. */
  requestsPerSecond: number
  requestsPerSecondPerKey: number
}

const unknownAccount = () => new ServiceError("not_found", { message: "There is no such account." })

/** Returns the account that the actor acts on, with the actor's role. Needs `account.read`. */
export async function getAccount(runtime: Runtime, actor: UserActor): Promise<AccountSummary> {
  requireRight(actor, "account.read")
  const rates = await prisma(runtime).account.findUnique({
    where: { id: actor.accountId },
    select: { requestsPerSecond: true, requestsPerSecondPerKey: true },
  })
  if (!rates) throw unknownAccount()
  return { id: publicId("acc", actor.accountId), role: actor.role, ...rates }
}

/** Returns the operator, acting on the account with this id, `acc_…`. Throws `not_found`. */
export async function operatorForAccount(
  { pool }: Runtime,
  operator: OperatorActor,
  id: string,
): Promise<AccountOperator> {
  const accountId = parsePublicId("acc", id)
  // Within a joined transaction, the pool is its one connection. Prisma would wait for a second one.
  const { rowCount } = await pool.query("SELECT FROM account WHERE id = $1", [accountId])
  if (accountId === null || !rowCount) throw unknownAccount()
  return operatorFor(accountId, operator)
}

export interface AccountOverview {
  /** `acc_…` */
  id: string
  /** What an owner called it; null without a name. */
  name: string | null
  /** The address of the first owner; empty without one. */
  email: string
  /** `active`, `suspended` or `closed`. */
  status: string
  /** ISO text. */
  createdAt: string
  balancePico: Pico
  heldPico: Pico
  /** Of the last 30 days including today, in UTC. Charges of the last seconds may be missing. */
  spentPico: Pico
  requestsPerSecond: number
  requestsPerSecondPerKey: number
  keys: KeySummary[]
}

type AccountRow = Row<
  "Account",
  | "name"
  | "status"
  | "created_at"
  | "balance_pico"
  | "held_pico"
  | "requests_per_second"
  | "requests_per_second_per_key"
> & { owner: string | null }

const OVERVIEW = `
  SELECT name, status, created_at, balance_pico, held_pico - unused_credit(id) AS held_pico, requests_per_second, requests_per_second_per_key,
    first_owner_email(id) AS owner
  FROM account WHERE id = $1`

/** Returns the facts of an account, by its UUID. The caller checks the right. Throws `not_found`. */
export async function readAccountFacts(runtime: Runtime, accountId: string): Promise<Omit<AccountOverview, "keys">> {
  const { rows } = await runtime.pool.query<AccountRow>(OVERVIEW, [accountId])
  const [row] = rows
  if (!row) throw unknownAccount()
  const spent = await spentByAccount(runtime, [accountId])
  return {
    id: publicId("acc", accountId),
    name: row.name,
    email: row.owner ?? "",
    status: row.status,
    createdAt: row.created_at.toISOString(),
    balancePico: pico(row.balance_pico),
    heldPico: pico(row.held_pico),
    spentPico: spent.get(accountId) ?? pico(0),
    requestsPerSecond: row.requests_per_second,
    requestsPerSecondPerKey: row.requests_per_second_per_key,
  }
}

/** Returns the actor's account with its owner, balance, rate limits and keys. For the operator. Throws `not_found`. */
export async function getAccountOverview(runtime: Runtime, actor: AccountActor): Promise<AccountOverview> {
  requireRight(actor, "service.read")
  const [facts, keys] = await Promise.all([readAccountFacts(runtime, actor.accountId), listKeys(runtime, actor)])
  return { ...facts, keys }
}
