import { DROP_BATCH, dropInBatches } from "@/lib/server/platform/db/drop-in-batches"
import type { Runtime } from "@/lib/server/platform/runtime"
import { dropExpiredSessions } from "./sessions"

const DROP_TOKENS = `
  DELETE FROM sign_in_token WHERE token_hash IN (
    SELECT token_hash FROM sign_in_token WHERE created_at < now() - $1 * interval '1 hour' AND expires_at < now()
    ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)`

const DROP_INVITATION_MAILS = `
  DELETE FROM invitation_mail WHERE id IN (
    SELECT id FROM invitation_mail WHERE sent_at < now() - interval '1 day' ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)`

// The audit log names invitations by their ids. Their addresses are personal data, and nobody needs them for longer.
const DROP_INVITATIONS = `
  DELETE FROM invitation WHERE id IN (
    SELECT id FROM invitation WHERE expires_at < now() - interval '90 days' ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)`

// The cookie of a browser lasts a year after its last sign-in.
const DROP_BROWSERS = `
  DELETE FROM known_browser WHERE (user_id, token_sha256) IN (
    SELECT user_id, token_sha256 FROM known_browser WHERE seen_at < now() - interval '366 days'
    ORDER BY seen_at LIMIT $1 FOR UPDATE SKIP LOCKED)`

const DROP_EMAIL_CHANGES = `
  DELETE FROM email_change WHERE id IN (
    SELECT id FROM email_change WHERE created_at < now() - interval '1 day' ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED)`

const DROP_IDENTITY_LINKS = `
  DELETE FROM identity_link WHERE token_hash IN (
    SELECT token_hash FROM identity_link WHERE created_at < now() - interval '1 day' ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED)`

const DROP_CHALLENGES = `
  DELETE FROM passkey_challenge WHERE (session_id, purpose) IN (
    SELECT session_id, purpose FROM passkey_challenge WHERE expires_at < now()
    ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)`

// A sign-in takes seconds between the provider's tokens and its session.
const DROP_PROVIDER_LOGOUTS = `
  DELETE FROM provider_logout WHERE id IN (
    SELECT id FROM provider_logout WHERE issued_at < now() - interval '1 hour' ORDER BY issued_at LIMIT $1 FOR UPDATE SKIP LOCKED)`

const DROP_VISITOR_RUNS = `
  DELETE FROM visitor_run WHERE (day, client_hash) IN (
    SELECT day, client_hash FROM visitor_run WHERE day < (now() AT TIME ZONE 'utc')::date
    ORDER BY day, client_hash LIMIT $1 FOR UPDATE SKIP LOCKED)`

const DROP_KEPT_ANSWERS = `
  DELETE FROM kept_answer WHERE (caller, key) IN (
    SELECT caller, key FROM kept_answer WHERE created_at < now() - interval '1 day'
    ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED)`

/**
 * Drops sign-in links after `SIGN_IN_RETENTION_HOURS`, expired and idle sessions, changes of address, links to a person of the OpenID
 * provider, counted invitation mails and kept answers of management APIs after a day, counted runs of visitors after their day,
 * logouts at the provider after an hour, challenges of passkeys once they expired, and invitations and browsers of long ago. Returns
 * how many links and sessions it dropped, without the other rows.
 */
export async function dropExpiredSignIns(runtime: Runtime): Promise<number> {
  const { pool, env } = runtime
  const links = await dropInBatches(
    async () => (await pool.query(DROP_TOKENS, [env.SIGN_IN_RETENTION_HOURS, DROP_BATCH])).rowCount,
  )
  for (const statement of [
    DROP_INVITATION_MAILS,
    DROP_INVITATIONS,
    DROP_BROWSERS,
    DROP_EMAIL_CHANGES,
    DROP_IDENTITY_LINKS,
    DROP_PROVIDER_LOGOUTS,
    DROP_CHALLENGES,
    DROP_VISITOR_RUNS,
    DROP_KEPT_ANSWERS,
  ])
    await dropInBatches(async () => (await pool.query(statement, [DROP_BATCH])).rowCount)
  return links + (await dropInBatches(() => dropExpiredSessions(runtime)))
}
