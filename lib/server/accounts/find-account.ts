import { type AccountOperator, operatorFor } from "@/lib/server/platform/actor"
import { prisma } from "@/lib/server/platform/db/prisma"
import type { Row } from "@/lib/server/platform/db/row"
import { parsePublicId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { timesNear } from "@/lib/server/usage/find-request"
import { parseEmailAddress } from "@/lib/shared/auth/email-address"
import { ServiceError } from "@/lib/shared/errors"
import { likeStart } from "./like-start"

const BY_KEY = "SELECT account_id FROM api_key WHERE id = $1"

const BY_KEY_START = "SELECT DISTINCT account_id FROM api_key WHERE masked LIKE $1"

const BY_REQUEST = `
  SELECT account_id FROM ledger_entry WHERE hold_id = $1 AND created_at BETWEEN $2 AND $3
  UNION SELECT account_id FROM request_event WHERE id = $1 AND created_at BETWEEN $2 AND $3`

const BY_TOPUP = "SELECT account_id FROM topup WHERE id = $1"

const BY_PAYMENT_INTENT = "SELECT account_id FROM topup WHERE payment_intent_id = $1"

const BY_CHECKOUT = "SELECT account_id FROM topup WHERE session_id = $1"

/** Lists show a key as `svcd_AbCd…wXyZ`: its start, and maybe its end. More of a key is never accepted. */
const SHOWN_KEY = /^svcd_[0-9A-Za-z]{4}(?:…[0-9A-Za-z]{4})?$/

/** Returns the statement that finds the accounts of an identifier, with its values; null for a text that is none. */
function statementOf(text: string): [string, unknown[]] | null {
  const lower = text.toLowerCase()
  const key = parsePublicId("key", lower)
  if (key) return [BY_KEY, [key]]
  const request = parsePublicId("req", lower)
  if (request) return [BY_REQUEST, [request, ...timesNear(request)]]
  const topup = parsePublicId("top", lower)
  if (topup) return [BY_TOPUP, [topup]]
  if (SHOWN_KEY.test(text)) return [BY_KEY_START, [likeStart(text)]]
  if (text.startsWith("pi_")) return [BY_PAYMENT_INTENT, [text]]
  return text.startsWith("cs_") ? [BY_CHECKOUT, [text]] : null
}

/**
 * Returns the UUIDs of the accounts that an identifier names: `acc_…`, `key_…`, `req_…`, `top_…`, Stripe's `pi_…` or `cs_…`, or a key as
 * lists show it. Null for a text that is no identifier. A request is looked up around the time in its id.
 */
export async function findAccounts({ pool }: Runtime, text: string): Promise<string[] | null> {
  const account = parsePublicId("acc", text.toLowerCase())
  if (account) return [account]
  const statement = statementOf(text)
  if (!statement) return null
  const { rows } = await pool.query<Row<"Member", "account_id">>(...statement)
  return rows.map((row) => row.account_id)
}

/**
 * Returns the UUIDs of the accounts that the address of a user means: the first one that the user owns, a closed one only without
 * another, or all that the user is a member of.
 */
async function findAccountsOfUser(runtime: Runtime, email: string): Promise<string[]> {
  const memberships = await prisma(runtime).member.findMany({
    where: { user: { email } },
    select: { accountId: true, role: true, account: { select: { status: true } } },
    orderBy: { createdAt: "asc" },
  })
  const owned = memberships.filter(({ role }) => role === "owner")
  const first = owned.find(({ account }) => account.status !== "closed") ?? owned[0]
  return first ? [first.accountId] : memberships.map(({ accountId }) => accountId)
}

// An error names no more accounts.
const MAX_NAMED = 5

/**
 * Returns the operator, acting on the one account that an identifier or a member's address means. Throws `not_found`, and
 * `invalid_request` when it means several.
 */
export async function operatorForNamed(runtime: Runtime, named: string): Promise<AccountOperator> {
  const text = named.trim()
  const byIdentifier = await findAccounts(runtime, text)
  const found = byIdentifier ?? (await findAccountsOfUser(runtime, parseEmailAddress(text) ?? ""))
  const existing = await prisma(runtime).account.findMany({ where: { id: { in: found } }, select: { id: true } })
  const [only, ...others] = existing
  if (!only) {
    const message = byIdentifier ? "There is no such account." : "There is no account for this e-mail address."
    throw new ServiceError("not_found", { message })
  }
  if (others.length > 0) {
    const ids = existing.slice(0, MAX_NAMED).map(({ id }) => publicId("acc", id))
    const message = `This means several accounts. Use the id of one of them, such as ${ids.join(", ")}.`
    throw new ServiceError("invalid_request", { message })
  }
  return operatorFor(only.id)
}
