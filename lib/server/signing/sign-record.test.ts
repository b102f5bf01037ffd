import { createPrivateKey, createPublicKey, verify } from "node:crypto"
import { afterEach, beforeEach, expect, test } from "vitest"
import { describeAudit, listAudit } from "@/lib/server/audit/list-audit"
import { memoryWindows } from "@/lib/server/limits/windows"
import { OPERATOR } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { RecordSignature } from "@/lib/shared/evaluate/export/record-signature"
import { testRuntime } from "@/test/database"
import { signUp } from "@/test/sign-up"
import { waitsForLock } from "@/test/waits-for-lock"
import { signRecord } from "./sign-record"
import { listSigningKeys, lockSigningKey, renewSigningKey, rotateSigningKey } from "./signing-keys"

const SHA256 = "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9"

const runtime = await testRuntime()
const { env, pool } = runtime
beforeEach(async () => {
  runtime.rates = memoryWindows()
  await pool.query("DELETE FROM signing_key")
})
afterEach(() => {
  runtime.env = env
})

const OTHER = { ...env, AUTH_SECRET: "another-secret-of-32-characters-or-more" }

function isValid({ statement, signature, publicKey }: RecordSignature): boolean {
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: publicKey }, format: "jwk" })
  return verify(null, Buffer.from(statement), key, Buffer.from(signature, "base64url"))
}

const atOf = ({ statement }: RecordSignature): string => JSON.parse(statement).at

test("a signature states who asked when for which hash, and its key is listed", async () => {
  const actor = await signUp("ada@example.com")
  const before = Date.now()
  const signed = await signRecord(runtime, actor, { sha256: SHA256 })
  const at = atOf(signed)
  expect(signed.statement).toBe(
    `{"account":"${actor.accountId}","at":"${at}","person":"ada@example.com","sha256":"${SHA256}"}`,
  )
  expect(Math.abs(Date.parse(at) - before)).toBeLessThan(60_000)
  expect(isValid(signed)).toBe(true)
  expect(isValid({ ...signed, statement: signed.statement.replace("ada@", "eve@") })).toBe(false)
  const [key, ...others] = await listSigningKeys(runtime)
  expect(key).toEqual({ id: expect.stringMatching(/^sig_[0-9a-z]{26}$/), publicKey: signed.publicKey, retiredAt: null })
  expect(others).toEqual([])
  const { rows } = await pool.query(
    "SELECT account_id, actor, subject, detail FROM audit_event WHERE action = 'record.sign'",
  )
  expect(rows).toEqual([
    { account_id: actor.accountId, actor: `user:${actor.userId}`, subject: key?.id, detail: SHA256 },
  ])
  const { lines } = await listAudit(runtime, actor)
  expect(lines.map(describeAudit)[0]).toBe("Had the record 5feceb66ffc86f38… signed")
})

test("ten first signatures at once create one key", async () => {
  const actors = await Promise.all(Array.from({ length: 10 }, () => signUp()))
  const signatures = await Promise.all(actors.map((actor) => signRecord(runtime, actor, { sha256: SHA256 })))
  expect(signatures.map(isValid)).toEqual(Array(10).fill(true))
  expect(new Set(signatures.map(({ publicKey }) => publicKey)).size).toBe(1)
  expect(await listSigningKeys(runtime)).toHaveLength(1)
})

test("the database has the private key only encrypted, and only until the key retires", async () => {
  await signRecord(runtime, await signUp(), { sha256: SHA256 })
  const { rows } = await pool.query<{ private_key: Buffer }>("SELECT private_key FROM signing_key")
  const stored = rows[0]?.private_key ?? Buffer.alloc(0)
  for (const start of [0, stored.length - 48])
    expect(() => createPrivateKey({ key: stored.subarray(start), format: "der", type: "pkcs8" })).toThrow()
  await rotateSigningKey(runtime, OPERATOR)
  expect((await pool.query("SELECT FROM signing_key WHERE private_key = $1", [stored])).rowCount).toBe(0)
  const left = await pool.query("SELECT FROM signing_key WHERE retired_at IS NOT NULL AND private_key IS NOT NULL")
  expect(left.rowCount).toBe(0)
})

test("a rotation keeps the old public key, and no signature of a key is later than its retirement", async () => {
  const actors = await Promise.all(Array.from({ length: 40 }, () => signUp()))
  const [signatures] = await Promise.all([
    Promise.all(actors.map((actor) => signRecord(runtime, actor, { sha256: SHA256 }))),
    rotateSigningKey(runtime, OPERATOR),
    rotateSigningKey(runtime, OPERATOR),
  ])
  const keys = await listSigningKeys(runtime)
  expect(keys.filter(({ retiredAt }) => retiredAt === null)).toHaveLength(1)
  for (const signed of signatures) {
    const key = keys.find(({ publicKey }) => publicKey === signed.publicKey)
    expect(isValid(signed)).toBe(true)
    expect(key && (key.retiredAt === null || atOf(signed) <= key.retiredAt)).toBe(true)
  }
  const last = await signRecord(runtime, await signUp(), { sha256: SHA256 })
  expect(keys.find(({ publicKey }) => publicKey === last.publicKey)?.retiredAt).toBe(null)
})

test("a signature that begins while a rotation waits for another one is of the new key", async () => {
  const actor = await signUp()
  const { rotating, signing } = await inTransaction(pool, async (client) => {
    await lockSigningKey(client, runtime)
    const rotating = rotateSigningKey(runtime, OPERATOR)
    await waitsForLock()
    const signing = signRecord(runtime, actor, { sha256: SHA256 })
    await Promise.race([signing, waitsForLock(2)])
    return { rotating, signing }
  })
  const [old, current] = await rotating
  expect((await signing).publicKey).toBe(current?.publicKey)
  expect(old?.retiredAt).toMatch(/^20.+Z$/)
})

test("the key survives a rotation of AUTH_SECRET, after which the old AUTH_SECRET is no longer needed", async () => {
  const actor = await signUp()
  const { publicKey } = await signRecord(runtime, actor, { sha256: SHA256 })
  runtime.env = { ...OTHER, AUTH_SECRET_PREVIOUS: env.AUTH_SECRET }
  expect((await signRecord(runtime, actor, { sha256: SHA256 })).publicKey).toBe(publicKey)
  expect([await renewSigningKey(runtime), await renewSigningKey(runtime)]).toEqual([1, 0])
  runtime.env = OTHER
  expect(await signRecord(runtime, actor, { sha256: SHA256 })).toMatchObject({ publicKey })
})

test("without its AUTH_SECRET, nothing is signed until the operator rotates the key", async () => {
  const actor = await signUp()
  const { publicKey } = await signRecord(runtime, actor, { sha256: SHA256 })
  runtime.env = OTHER
  await expect(signRecord(runtime, actor, { sha256: SHA256 })).rejects.toThrow("No AUTH_SECRET opens the signing key")
  const keys = await rotateSigningKey(runtime, OPERATOR)
  expect(keys.map((key) => [key.publicKey === publicKey, key.retiredAt === null])).toEqual([
    [true, false],
    [false, true],
  ])
  expect(isValid(await signRecord(runtime, actor, { sha256: SHA256 }))).toBe(true)
})

test("an account gets five signatures a second, and another account is not affected", async () => {
  runtime.rates = memoryWindows(() => 0)
  const [actor, other] = [await signUp(), await signUp()]
  for (let i = 0; i < 5; i++) await signRecord(runtime, actor, { sha256: SHA256 })
  await expect(signRecord(runtime, actor, { sha256: SHA256 })).rejects.toMatchObject({ code: "rate_limited" })
  expect(isValid(await signRecord(runtime, other, { sha256: SHA256 }))).toBe(true)
})
