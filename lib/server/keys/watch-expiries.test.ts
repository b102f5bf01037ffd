import { describe, expect, test } from "vitest"
import { createAccountToken, revokeAccountToken } from "@/lib/server/accounts/account-tokens"
import { parsePublicId } from "@/lib/server/platform/ids"
import { testRuntime } from "@/test/database"
import { signUp } from "@/test/sign-up"
import { createKey } from "./create-key"
import { revokeKey } from "./revoke-key"
import { watchExpiries } from "./watch-expiries"

const runtime = await testRuntime()
const actor = await signUp()

const HOUR = 3_600_000

/** Creates a key that expires so many hours after its creation. */
async function expiring(hours: number): Promise<string> {
  const expiresAt = new Date(Date.now() + hours * HOUR).toISOString()
  const limit = { amountUsd: "1", period: "daily" as const }
  return (await createKey(runtime, actor, { name: "Nightly", limit, expiresAt })).id
}

/** Moves the key's life into the past, so that so many hours are left. */
const leave = (id: string, hours: number) =>
  runtime.pool.query(
    `ALTER TABLE api_key DISABLE TRIGGER USER; UPDATE api_key SET created_at = created_at - (expires_at - now() - interval '${hours} hours'),
       expires_at = now() + interval '${hours} hours' WHERE id = '${parsePublicId("key", id)}'; ALTER TABLE api_key ENABLE TRIGGER USER`,
  )

async function daysMailed(id: string): Promise<number[]> {
  const { rows } = await runtime.pool.query(
    "SELECT (facts->>'days')::int AS days FROM queued_mail WHERE kind = 'key_expiring' AND facts->>'keyId' = $1 ORDER BY created_at",
    [id],
  )
  return rows.map(({ days }) => days)
}

test("a key is mailed 7 days and 1 day before it expires, once each", async () => {
  const id = await expiring(24 * 30)
  await leave(id, 24 * 7 + 1)
  await watchExpiries(runtime)
  expect(await daysMailed(id)).toEqual([])
  await leave(id, 24 * 7 - 1)
  await Promise.all([watchExpiries(runtime), watchExpiries(runtime), watchExpiries(runtime)])
  await watchExpiries(runtime)
  expect(await daysMailed(id)).toEqual([7])
  await leave(id, 23)
  await Promise.all([watchExpiries(runtime), watchExpiries(runtime)])
  expect(await daysMailed(id)).toEqual([7, 1])
})

test("a key that was made for a few days is mailed one day before, and one for a few hours never", async () => {
  const [days, hours] = [await expiring(24 * 3), await expiring(6)]
  await watchExpiries(runtime)
  expect([await daysMailed(days), await daysMailed(hours)]).toEqual([[], []])
  await leave(days, 20)
  await watchExpiries(runtime)
  expect(await daysMailed(days)).toEqual([1])
})

describe("an account token", () => {
  const tokenOf = async (days: number): Promise<string> => {
    const expiresAt = new Date(Date.now() + days * 24 * HOUR).toISOString()
    return (await createAccountToken(runtime, actor, { name: "Dashboard", expiresAt })).id
  }
  /** Lets the token end in so many days, and have been created as many days before that as it was made for. */
  const endIn = (id: string, days: number) =>
    runtime.pool.query(
      `UPDATE account_token SET created_at = created_at - (expires_at - now() - $2 * interval '1 day'),
         expires_at = now() + $2 * interval '1 day' WHERE id = $1`,
      [parsePublicId("tok", id), days],
    )
  const mailsOf = async (id: string): Promise<number> =>
    (await runtime.pool.query("SELECT FROM queued_mail WHERE kind = 'token_expiring' AND facts->>'tokenId' = $1", [id]))
      .rowCount ?? 0

  test("is mailed once, 14 days before it expires", async () => {
    const id = await tokenOf(90)
    await endIn(id, 14.1)
    await watchExpiries(runtime)
    expect(await mailsOf(id)).toBe(0)
    await endIn(id, 13.9)
    await Promise.all([watchExpiries(runtime), watchExpiries(runtime), watchExpiries(runtime)])
    await runtime.pool.query("UPDATE queued_mail SET source = source || ':sent'")
    await endIn(id, 0.5)
    await watchExpiries(runtime)
    expect(await mailsOf(id)).toBe(1)
  })

  test("that was made for less than 14 days, never expires, has expired or was revoked is not mailed", async () => {
    const [short, expired, revoked] = [await tokenOf(10), await tokenOf(90), await tokenOf(90)]
    const { id: endless } = await createAccountToken(runtime, actor, { name: "Dashboard", expiresAt: null })
    await endIn(expired, -1)
    await endIn(revoked, 3)
    await revokeAccountToken(runtime, actor, { id: revoked })
    await watchExpiries(runtime)
    expect(await Promise.all([short, expired, revoked, endless].map(mailsOf))).toEqual([0, 0, 0, 0])
  })
})

test("a revoked or expired key is not mailed", async () => {
  const [revoked, expired] = [await expiring(24 * 30), await expiring(24 * 30)]
  await leave(revoked, 20)
  await revokeKey(runtime, actor, { id: revoked })
  await leave(expired, -1)
  await watchExpiries(runtime)
  expect([await daysMailed(revoked), await daysMailed(expired)]).toEqual([[], []])
})
