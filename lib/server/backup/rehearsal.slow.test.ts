import { readdir } from "node:fs/promises"
import path from "node:path"
import { beforeEach, describe, expect, it, vi } from "vitest"
import { setAccountStatus } from "@/lib/server/auth/account-status"
import { deleteUser } from "@/lib/server/closing/delete-user"
import { createKey } from "@/lib/server/keys/create-key"
import { replaceKey } from "@/lib/server/keys/replace-key"
import { revokeKey } from "@/lib/server/keys/revoke-key"
import { placeHold } from "@/lib/server/ledger/hold"
import { postEntry } from "@/lib/server/ledger/post-entry"
import { checkLedger } from "@/lib/server/ledger/verify-ledger"
import { operatorFor } from "@/lib/server/platform/actor"
import { newId, parsePublicId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { sessionOf } from "@/test/closing-fixture"
import { operatorJson as json, operator } from "@/test/operator"
import { onScratchDatabase } from "@/test/scratch-database"
import { scratchUrl } from "@/test/scratch-url"
import { testService } from "@/test/service"
import { signUp } from "@/test/sign-up"
import { tempFolder } from "@/test/temp-folder"
import { lastRehearsalAt } from "./rehearsal"

const service = await testService({ WELCOME_CREDIT_USD: "2" })
const dir = tempFolder()
const temporary = tempFolder()
const inDir = (name: string) => path.join(dir, name)
beforeEach(() => {
  const all = {
    ...{ BASE_URL: "", DATABASE_URL: service.databaseUrl, DATA_DIR: inDir("data"), TMPDIR: temporary },
    ...{ AUTH_SECRET: "a-secret-for-tests-of-32-characters", BACKUP_DIR: dir },
  }
  for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value)
  return () => void vi.unstubAllEnvs()
})

const newKey = async (owner: Awaited<ReturnType<typeof signUp>>) =>
  createKey(runtime(), owner, { name: "CI", limit: null, expiresAt: null })

describe("a rehearsal", () => {
  it("restores the newest backup, verifies its whole ledger, records its success and leaves nothing", async () => {
    const owner = await signUp()
    const { id } = await newKey(owner)
    const actor = { accountId: owner.accountId, keyId: parsePublicId("key", id) ?? "" }
    // A hold that was open at that moment is released first, as a server does.
    await placeHold(runtime(), { id: newId(), actor, modelId: LEXICAL_BASELINE, pricePico: pico(1n), maxTokens: 5 })
    await json("backup", "create", inDir("older.backup"))
    const newest = await json("backup", "create", inDir("newest.backup"))
    expect(await lastRehearsalAt(service.runtime.pool)).toBeNull()
    const report = await json("backup", "rehearse")
    expect(report).toMatchObject({ ok: true, file: newest.file, taken_at: newest.taken_at, left_out: [] })
    expect(report.checks.length).toBeGreaterThan(12)
    expect(await readdir(temporary)).toEqual([])
    const at = await lastRehearsalAt(service.runtime.pool)
    expect(Math.abs(Date.now() - (at?.getTime() ?? 0))).toBeLessThan(60_000)
  })

  it("fails for a backup whose ledger does not add up, and is not recorded", async () => {
    const { pool } = service.runtime
    await pool.query("DELETE FROM job_mark WHERE name = 'backup rehearsal'")
    const { accountId } = await signUp()
    await pool.query("UPDATE account SET balance_pico = balance_pico + 1 WHERE id = $1", [accountId])
    const { file } = await json("backup", "create", inDir("drifted.backup"))
    await pool.query("UPDATE account SET balance_pico = balance_pico - 1 WHERE id = $1", [accountId])
    const verified = await operator("backup", "verify", file)
    expect([verified.code, verified.err]).toEqual([
      1,
      "The balances in the backup differ from its ledger, as they did in the database.\n",
    ])
    const { code, err } = await operator("backup", "rehearse", file)
    expect(code).toBe(1)
    expect(err).toMatch(/^The ledger in the backup violates: balance is the sum of the account's ledger \(1\)/)
    expect(await lastRehearsalAt(pool)).toBeNull()
    expect(await readdir(temporary)).toEqual([])
  })
})

describe("a restore", () => {
  it("names the keys, secrets, accounts and users that ended since the backup, and ends them again with --reapply", async () => {
    const { pool } = service.runtime
    const [ada, bob, eve] = [await signUp(), await signUp(), await signUp("eve@ended.example")]
    await postEntry(pool, { accountId: ada.accountId, kind: "credit", amountPico: pico(5n), source: newId() })
    const [revoked, replaced] = [await newKey(ada), await newKey(ada)]
    const { file } = await json("backup", "create", inDir("before.backup"))
    await revokeKey(runtime(), ada, { id: revoked.id })
    const { masked } = await replaceKey(runtime(), ada, { id: replaced.id, overlapHours: 0 })
    await setAccountStatus(runtime(), operatorFor(bob.accountId), "suspended")
    await deleteUser(runtime(), await sessionOf(eve), { email: eve.email })
    const ended = {
      revoked_keys: expect.arrayContaining([revoked.id]),
      replaced_secrets: [replaced.id],
      ended_accounts: expect.arrayContaining([
        { id: publicId("acc", bob.accountId), status: "suspended" },
        { id: publicId("acc", eve.accountId), status: "closed" },
      ]),
      erased_users: [publicId("usr", eve.userId)],
    }
    const KEYS = "SELECT revoked_at IS NOT NULL AS revoked, masked FROM api_key WHERE id = ANY ($1) ORDER BY id"
    const ids = [revoked, replaced].map(({ id }) => parsePublicId("key", id))
    await onScratchDatabase(async (target) => {
      const restored = await json("backup", "restore", file, "--into", scratchUrl(target))
      expect(restored.ended_since).toEqual({ ...ended, applied: false })
      expect((await target.query(KEYS, [ids])).rows).toEqual([
        { revoked: false, masked: revoked.masked },
        { revoked: false, masked: replaced.masked },
      ])
    })
    await onScratchDatabase(async (target) => {
      const from = ["--reapply", service.databaseUrl]
      const restored = await json("backup", "restore", file, "--into", scratchUrl(target), ...from)
      expect(restored.ended_since).toEqual({ ...ended, applied: true })
      expect((await target.query(KEYS, [ids])).rows).toEqual([
        { revoked: true, masked: revoked.masked },
        { revoked: false, masked },
      ])
      const { rows: accounts } = await target.query("SELECT status FROM account WHERE id = ANY ($1) ORDER BY status", [
        [ada, bob, eve].map(({ accountId }) => accountId),
      ])
      expect(accounts.map(({ status }) => status)).toEqual(["active", "closed", "suspended"])
      const { rows } = await target.query("SELECT (SELECT json_agg(u) FROM app_user u)::text AS users")
      expect(rows[0].users).not.toContain("eve@ended.example")
      expect((await checkLedger(target)).filter(({ ok }) => !ok)).toEqual([])
    })
  })

  it("is refused before it changes anything when the database of --reapply cannot be read", async () => {
    const { file } = await json("backup", "create", inDir("unread.backup"))
    await onScratchDatabase(async (target) => {
      const args = ["--into", scratchUrl(target), "--reapply", "postgres://nobody@127.0.0.1:9/none"]
      const { code, err } = await operator("backup", "restore", file, ...args)
      expect([code, err]).toEqual([1, "The database at 127.0.0.1:9 cannot be read\n"])
      const { rows } = await target.query("SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace")
      expect(rows).toEqual([])
    })
  })

  it("says that nothing is known when the live database cannot be read", async () => {
    const { file } = await json("backup", "create", inDir("alone.backup"))
    vi.stubEnv("DATABASE_URL", "postgres://nobody@127.0.0.1:9/none")
    await onScratchDatabase(async (target) => {
      expect(await json("backup", "restore", file, "--into", scratchUrl(target))).toMatchObject({ ended_since: null })
    })
  })
})
