import {
  type DueRow,
  dropOldRows,
  giveUp,
  MAX_ATTEMPTS,
  markSent,
  sendDueRows,
} from "@/lib/server/platform/db/due-rows"
import type { Nullable, Present, Row } from "@/lib/server/platform/db/row"
import { parsePublicId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { MemberCard } from "@/lib/shared/accounts/members"
import { nameOfBudget } from "@/lib/shared/keys/budgets"
import { labelKeys } from "@/lib/shared/keys/label-keys"
import { type FarewellKind, writeFarewell } from "./farewells"
import type { MailMessage } from "./mailer"
import { BY_PROVIDER } from "./member-notices"
import { type NoticeFacts, type NoticeKind, writeNotice } from "./notices"
import { type MailParts, mailBrand, renderMail } from "./render-mail"

const TABLE = "queued_mail"
/** Less than a day, because the job that deletes them runs every ten minutes. */
const FAREWELLS_KEPT = "23 hours"

type QueuedNotice = Present<Row<"QueuedMail", "user_id">> & { kind: NoticeKind; facts: NoticeFacts[NoticeKind] }

/** A mail to an address that is stored with it, because nothing else has it. */
interface QueuedFarewell {
  kind: FarewellKind
  facts: { account: string | null; byUserId: string; card: MemberCard }
  user_id: null
}

/** `email` is the reader's address. */
type QueuedRow = (QueuedNotice | QueuedFarewell) &
  Row<"QueuedMail", "id" | "account_id"> &
  Row<"User", "email"> & {
    /** The account's name, or null. */
    account: string | null
    may_read: boolean
  }

const SELECT = `
  SELECT q.id, q.account_id, q.kind, q.facts, q.user_id, coalesce(q.address, u.email) AS email,
    nullif(account_name(q.account_id), '') AS account,
    q.user_id IS NULL OR EXISTS (SELECT FROM member m WHERE m.account_id = q.account_id AND m.user_id = q.user_id) AS may_read
  FROM queued_mail q LEFT JOIN app_user u ON u.id = q.user_id WHERE q.id = ANY ($1)`

const SAME_NAME = `
  SELECT o.id, o.name, o.masked FROM api_key k JOIN api_key o ON o.account_id = k.account_id AND o.name = k.name WHERE k.id = $1`

/** Returns a key's name, with its ending where another key of the account has the same. */
async function nameOfKey({ pool }: Runtime, keyId: string): Promise<string> {
  const id = parsePublicId("key", keyId)
  const { rows } = await pool.query<Row<"ApiKey", "id" | "name" | "masked">>(SAME_NAME, [id])
  return labelKeys(rows).get(id ?? "") ?? ""
}

/** Returns a token's name; null once it was revoked. */
async function nameOfToken({ pool }: Runtime, tokenId: string): Promise<string | null> {
  const { rows } = await pool.query<Row<"AccountToken", "name">>("SELECT name FROM account_token WHERE id = $1", [
    parsePublicId("tok", tokenId),
  ])
  return rows[0]?.name ?? null
}

/** Returns the name of an operator's token. Its row stays. */
async function nameOfOperatorToken({ pool }: Runtime, id: string): Promise<string | null> {
  const { rows } = await pool.query<Row<"OperatorToken", "name">>("SELECT name FROM operator_token WHERE id = $1", [
    parsePublicId("opt", id),
  ])
  return rows[0]?.name ?? null
}

const BUDGET = `
  SELECT b.tag, u.email FROM budget b LEFT JOIN app_user u ON u.id = b.user_id WHERE b.id = $1`

/** Returns what a budget limits. */
async function nameOfStoredBudget({ pool }: Runtime, budgetId: string): Promise<string> {
  const { rows } = await pool.query<Row<"Budget", "tag"> & Nullable<Row<"User", "email">>>(BUDGET, [
    parsePublicId("bud", budgetId),
  ])
  const [budget] = rows
  if (!budget) return "what is no longer limited"
  const { tag, email } = budget
  return nameOfBudget({ tag, member: email === null ? null : { id: "", email, isMember: true } })
}

/** Returns a user's current address; null once the user was deleted. */
async function findAddress({ pool }: Runtime, id: string | null): Promise<string | null> {
  const { rows } = await pool.query<Row<"User", "email">>(
    "SELECT email FROM app_user WHERE id = $1 AND erased_at IS NULL",
    [id],
  )
  return rows[0]?.email ?? null
}

const addressOf = async (runtime: Runtime, userId: string): Promise<string> =>
  userId === BY_PROVIDER
    ? "The OpenID provider"
    : ((await findAddress(runtime, parsePublicId("usr", userId))) ?? "A person who left")

/** Returns the facts with the current names and addresses, which are not stored with the mail. */
async function complete(runtime: Runtime, { facts, user_id }: QueuedNotice): Promise<NoticeFacts[NoticeKind]> {
  if ("keyId" in facts) return { ...facts, keyName: await nameOfKey(runtime, facts.keyId) }
  if ("tokenId" in facts) return { ...facts, tokenName: await nameOfToken(runtime, facts.tokenId) }
  if ("operatorTokenId" in facts)
    return { ...facts, tokenName: await nameOfOperatorToken(runtime, facts.operatorTokenId) }
  if ("budgetId" in facts) return { ...facts, budgetName: await nameOfStoredBudget(runtime, facts.budgetId) }
  if (!("userId" in facts)) return facts
  const reader = publicId("usr", user_id)
  const email = await addressOf(runtime, facts.userId)
  if (!("byUserId" in facts)) return { ...facts, email }
  const by = facts.byUserId === reader ? "You" : await addressOf(runtime, facts.byUserId)
  return { ...facts, email, by, isYou: facts.userId === reader }
}

async function partsOf(runtime: Runtime, mail: QueuedRow): Promise<MailParts> {
  const { CONSOLE_URL: consoleUrl } = runtime.env
  const { account, account_id: accountId, email: to } = mail
  if (mail.user_id !== null) {
    const facts = (await complete(runtime, mail)) as never
    return writeNotice(mail.kind, facts, { consoleUrl, account, accountId })
  }
  const { byUserId, card, account: nameThen } = mail.facts
  const facts = { account: nameThen ?? account, by: await findAddress(runtime, byUserId), card }
  return writeFarewell(mail.kind, facts, { consoleUrl, to })
}

async function write(runtime: Runtime, mail: QueuedRow): Promise<MailMessage> {
  const { env } = runtime
  const message = renderMail(mail.email, await partsOf(runtime, mail), mailBrand(env))
  // A mail that was sent again, because its process ended in between, has the same id. Mail programs then show it once.
  return { ...message, messageId: `<${mail.id}@${new URL(env.CONSOLE_URL).hostname}>` }
}

const deleteMail = ({ pool }: Runtime, id: string) => pool.query("DELETE FROM queued_mail WHERE id = $1", [id])

/** Writes, sends and marks a mail. Returns whether all of it worked. A failure is logged. */
async function deliver(runtime: Runtime, mail: QueuedRow): Promise<boolean> {
  const { log, mailer, pool } = runtime
  try {
    const message = await write(runtime, mail)
    // The mailer logs its own failures.
    const isSent = await mailer.send(message).then(
      () => true,
      () => false,
    )
    // A farewell is not kept, because its row has the address.
    if (isSent) await (mail.user_id === null ? deleteMail(runtime, mail.id) : markSent(pool, TABLE, mail.id))
    return isSent
  } catch (cause) {
    // For example, a newer release queued a kind that this one cannot write.
    log.warn("A queued mail was not written or not marked as sent", {
      event: "mail.queue_failed",
      reason: mail.kind,
      cause,
    })
    return false
  }
}

async function send(runtime: Runtime, mail: QueuedRow, attempts: number): Promise<void> {
  const { pool } = runtime
  // A user who has left the account meanwhile may not read about it.
  if (!mail.may_read) return void (await deleteMail(runtime, mail.id))
  const isDelivered = await deliver(runtime, mail)
  // Otherwise `next_at` holds the next attempt.
  if (!isDelivered && attempts >= MAX_ATTEMPTS) await giveUp(pool, TABLE, mail.id)
}

async function sendBatch(runtime: Runtime, due: DueRow[]): Promise<void> {
  const { rows } = await runtime.pool.query<QueuedRow>(SELECT, [due.map(({ id }) => id)])
  for (const mail of rows) await send(runtime, mail, due.find(({ id }) => id === mail.id)?.attempts ?? 0)
}

/** Sends the mails that are due, and returns how many it tried. Any server may run it: each mail is claimed by one. */
export const sendQueuedMail = (runtime: Runtime): Promise<number> =>
  sendDueRows(runtime.pool, TABLE, (due) => sendBatch(runtime, due))

/**
 * Drops mails 30 days after they were sent, and given-up ones 30 days after they were queued. Drops farewells that could not be sent
 * for 23 hours, so that no address is kept for longer than a day.
 */
export async function dropOldMail({ pool, log }: Runtime): Promise<void> {
  await dropOldRows(pool, TABLE)
  const { rowCount } = await pool.query(
    `DELETE FROM queued_mail WHERE user_id IS NULL AND created_at < now() - interval '${FAREWELLS_KEPT}'`,
  )
  if (rowCount)
    log.warn("Mails to people who lost access could not be sent for 23 hours and were deleted", {
      event: "mail.farewell_dropped",
      count: rowCount,
    })
}

/** How many mails wait, and how many were given up in the last 30 days. */
export interface MailQueue {
  waiting: number
  givenUp: number
}

export async function countQueuedMail({ pool }: Runtime): Promise<MailQueue> {
  const { rows } = await pool.query<{ waiting: number; given_up: number }>(
    `SELECT count(*) FILTER (WHERE next_at IS NOT NULL)::int AS waiting,
       count(*) FILTER (WHERE next_at IS NULL AND sent_at IS NULL)::int AS given_up FROM queued_mail`,
  )
  return { waiting: rows[0]?.waiting ?? 0, givenUp: rows[0]?.given_up ?? 0 }
}
