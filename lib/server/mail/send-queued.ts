import { parsePublicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { type NoticeFacts, type NoticeKind, writeNotice } from "./notices"
import { mailBrand, renderMail } from "./render-mail"

const BATCH = 20
/** After this many failed attempts, about two days, a mail is given up. */
const MAX_ATTEMPTS = 50
/** Sent and given-up mails are kept this long for the operator. */
const KEPT = "30 days"

interface Claimed {
  id: string
  email: string
  kind: NoticeKind
  facts: NoticeFacts[NoticeKind]
  attempts: number
  is_member: boolean
}

// The time of the next attempt is set before the mail is sent, so that a process that ends meanwhile loses nothing: 1, 2, 4 and
// so on up to 60 minutes.
const CLAIM = `
  WITH due AS (
    SELECT id FROM queued_mail WHERE next_at <= now() ORDER BY next_at LIMIT $1 FOR UPDATE SKIP LOCKED
  )
  UPDATE queued_mail q SET attempts = attempts + 1, next_at = now() + least(power(2, attempts), 60) * interval '1 minute'
  FROM due, app_user u WHERE q.id = due.id AND u.id = q.user_id
  RETURNING q.id, u.email, q.kind, q.facts, q.attempts,
    EXISTS (SELECT FROM member m WHERE m.account_id = q.account_id AND m.user_id = q.user_id) AS is_member`

/** Returns the facts with the key's name now, which is not stored with the mail. */
async function complete(facts: NoticeFacts[NoticeKind]): Promise<NoticeFacts[NoticeKind]> {
  if (!("keyId" in facts)) return facts
  const { rows } = await runtime().pool.query<{ name: string }>("SELECT name FROM api_key WHERE id = $1", [
    parsePublicId("key", facts.keyId),
  ])
  return { ...facts, keyName: rows[0]?.name ?? "" }
}

const GIVE_UP = "UPDATE queued_mail SET next_at = NULL WHERE id = $1"

async function send({ id, email, kind, facts, attempts, is_member }: Claimed): Promise<void> {
  const { env, mailer, pool } = runtime()
  // Who has left the account meanwhile may not read about it.
  if (!is_member) return void (await pool.query(GIVE_UP, [id]))
  const { subject, parts } = writeNotice(kind, (await complete(facts)) as never, env.CONSOLE_URL)
  // A mail that was sent again, because its process ended in between, has the same id. Mail programs then show it once.
  const messageId = `<${id}@${new URL(env.CONSOLE_URL).hostname}>`
  try {
    await mailer.send({ to: email, subject, messageId, ...renderMail(parts, mailBrand(env)) })
    await pool.query("UPDATE queued_mail SET sent_at = now(), next_at = NULL WHERE id = $1", [id])
  } catch {
    // The mailer logged it. `next_at` holds the next attempt.
    if (attempts >= MAX_ATTEMPTS) await pool.query(GIVE_UP, [id])
  }
}

/** Sends the mails that are due, and returns how many it tried. Any server may run it: each mail is claimed by one. */
export async function sendQueuedMail(): Promise<number> {
  const { pool } = runtime()
  let tried = 0
  for (let claimed = BATCH; claimed === BATCH; tried += claimed) {
    const { rows } = await pool.query<Claimed>(CLAIM, [BATCH])
    for (const mail of rows) await send(mail)
    claimed = rows.length
  }
  return tried
}

/** Drops mails that were sent or given up a while ago. */
export async function dropOldMail(): Promise<void> {
  await runtime().pool.query(
    `DELETE FROM queued_mail WHERE id IN (
       SELECT id FROM queued_mail WHERE created_at < now() - interval '${KEPT}' AND next_at IS NULL LIMIT 1000)`,
  )
}

/** How many queued mails wait, and how many were given up in the last 30 days. */
export interface MailQueue {
  waiting: number
  givenUp: number
}

export async function countQueuedMail(): Promise<MailQueue> {
  const { rows } = await runtime().pool.query<{ waiting: number; given_up: number }>(
    `SELECT count(*) FILTER (WHERE next_at IS NOT NULL)::int AS waiting,
       count(*) FILTER (WHERE next_at IS NULL AND sent_at IS NULL)::int AS given_up FROM queued_mail`,
  )
  return { waiting: rows[0]?.waiting ?? 0, givenUp: rows[0]?.given_up ?? 0 }
}
