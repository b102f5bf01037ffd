import { beforeEach, describe, expect, it } from "vitest"
import { placeHold } from "@/lib/server/ledger/hold"
import { OPERATOR, type UserActor } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import {
  credit,
  DECEMBER,
  entriesOf,
  grant,
  OF_DECEMBER,
  OF_NOVEMBER,
  run,
  set,
  spend,
  startMonth,
  USD,
} from "@/test/allowance-fixture"
import { query } from "@/test/closing-fixture"
import { testRuntime } from "@/test/database"
import { insertKey } from "@/test/insert-rows"
import { brokenChecks, moneyOf } from "@/test/ledger-state"
import { signUp } from "@/test/sign-up"
import { createTenant, setClock } from "@/test/tenant"
import { waitsForLock } from "@/test/waits-for-lock"
import { endAllowance, listAllowances } from "./allowance-rules"

await testRuntime({ WELCOME_CREDIT_USD: "0" })
await createTenant([])

let domain = ""
beforeEach(async () => {
  domain = await startMonth()
})

const balanceOf = async ({ accountId }: UserActor) => (await moneyOf(accountId)).balance / USD

describe("an allowance for the accounts of a domain", () => {
  it("is credited once a month, however often and in however many processes the job runs", async () => {
    const ada = await signUp(`ada@${domain}`)
    const elsewhere = await signUp(`ada@not-${domain}`)
    await set(domain, 20n)
    await Promise.all([grant(), grant(), grant()])
    await grant()
    const late = await signUp(`late@${domain}`)
    await run("2026-11-30T23:59:59Z")
    expect([await entriesOf(ada), await entriesOf(late), await entriesOf(elsewhere)]).toEqual([
      [OF_NOVEMBER],
      [OF_NOVEMBER],
      [],
    ])
    expect(await listAllowances(runtime(), OPERATOR)).toMatchObject([
      { target: domain, per: "account", amountUsd: "20.000000000000", granted: 2, grantedUsd: "40.000000000000" },
    ])
    expect(await brokenChecks()).toEqual([])
  })

  it("is debited at the end of the month as far as it was not spent, by one entry", async () => {
    const ada = await signUp(`ada@${domain}`)
    await set(domain, 20n)
    await grant()
    await spend(ada, 7)
    await run(DECEMBER)
    await run(DECEMBER)
    expect(await entriesOf(ada)).toEqual([OF_NOVEMBER, OF_DECEMBER, "debit -13 Unused allowance of November 2026"])
    expect(await balanceOf(ada)).toBe(20n)
    await run("2027-01-01T00:00:20Z")
    expect((await entriesOf(ada)).slice(3)).toEqual([
      "credit 20 Allowance for January 2027",
      "debit -20 Unused allowance of December 2026",
    ])
    expect(await brokenChecks()).toEqual([])
  })

  it("is spent before other credit, which is never taken", async () => {
    const [less, more] = [await signUp(`less@${domain}`), await signUp(`more@${domain}`)]
    for (const actor of [less, more]) {
      await credit(actor, 5n)
      await spend(actor, 3)
    }
    await set(domain, 20n)
    await grant()
    await spend(less, 4)
    await credit(less, 1n)
    await spend(more, 21)
    await run(DECEMBER)
    expect((await entriesOf(less)).at(-1)).toBe("debit -16 Unused allowance of November 2026")
    expect((await entriesOf(more)).at(-1)).toBe(OF_DECEMBER)
    expect([await balanceOf(less), await balanceOf(more)]).toEqual([23n, 21n])
  })

  it("that was credited later is not spent by what was charged before", async () => {
    const ada = await signUp(`ada@${domain}`)
    await credit(ada, 10n)
    await set(domain, 20n)
    await grant()
    await spend(ada, 25)
    await set(domain, 5n, { per: "member" })
    await grant()
    await spend(ada, 1)
    await query("UPDATE allowance_rule SET ended_at = now() WHERE domain = $1", [domain])
    await run(DECEMBER)
    expect((await entriesOf(ada)).at(-1)).toBe("debit -4 Unused allowance of November 2026")
    expect(await balanceOf(ada)).toBe(5n)
  })

  it("stays with the account if it carries over", async () => {
    const ada = await signUp(`ada@${domain}`)
    await set(domain, 20n, { carriesOver: true })
    await grant()
    await run(DECEMBER)
    expect(await entriesOf(ada)).toEqual([OF_NOVEMBER, OF_DECEMBER])
  })

  it("leaves what requests in flight hold, so that no balance falls below zero", async () => {
    const ada = await signUp(`ada@${domain}`)
    const { id } = await set(domain, 20n)
    await grant()
    const { keyId } = await insertKey(ada.accountId)
    const held = { id: newId(), actor: { accountId: ada.accountId, keyId }, modelId: "usage-test-1", isKeyed: true }
    expect(await placeHold(runtime(), { ...held, pricePico: pico(20_000n), maxTokens: 100_000_000 })).toEqual({
      outcome: "held",
    })
    await endAllowance(runtime(), OPERATOR, { id })
    await run(DECEMBER)
    expect((await entriesOf(ada)).at(-1)).toBe("debit -18 Unused allowance of November 2026")
    expect(await moneyOf(ada.accountId)).toMatchObject({ balance: 2n * USD, held: 2n * USD })
    await query("SELECT release($1, 'voided')", [held.id])
  })
})

describe("an allowance that was found due", () => {
  const settle = async ({ accountId, userId }: UserActor) => {
    const { rows } = await query("SELECT id FROM allowance_rule WHERE domain = $1", [domain])
    await query("SELECT settle_allowances($1, $2, $3)", [accountId, [rows[0].id], [userId]])
  }

  it("is not credited once its rule ended or the account was suspended", async () => {
    const [ada, bob] = [await signUp(`ada@${domain}`), await signUp(`bob@${domain}`)]
    const { id } = await set(domain, 20n)
    await query("UPDATE account SET status = 'suspended' WHERE id = $1", [ada.accountId])
    await settle(ada)
    await endAllowance(runtime(), OPERATOR, { id })
    await settle(bob)
    expect([await entriesOf(ada), await entriesOf(bob)]).toEqual([[], []])
  })
})

describe("a crash", () => {
  it("between two accounts, or before a commit, leaves each account with all of a month or nothing, and the next run does the rest", async () => {
    const [ada, bob, cyd] = [
      await signUp(`ada@${domain}`),
      await signUp(`bob@${domain}`),
      await signUp(`cyd@${domain}`),
    ]
    await set(domain, 20n)
    await grant()
    await setClock(DECEMBER)
    const { rows } = await query("SELECT id FROM allowance_rule WHERE domain = $1", [domain])
    const settle = ({ accountId, userId }: UserActor): [string, unknown[]] => [
      "SELECT settle_allowances($1, $2, $3)",
      [accountId, [rows[0].id], [userId]],
    ]
    await query(...settle(ada))
    const crash = inTransaction(runtime().pool, async (client) => {
      await client.query(...settle(bob))
      throw new Error("the process was killed")
    })
    await expect(crash).rejects.toThrow("the process was killed")
    expect([await entriesOf(ada), await entriesOf(bob)].map(({ length }) => length)).toEqual([3, 1])
    await grant()
    for (const actor of [ada, bob, cyd])
      expect(await entriesOf(actor)).toEqual([OF_NOVEMBER, OF_DECEMBER, "debit -20 Unused allowance of November 2026"])
    expect(await brokenChecks()).toEqual([])
  })

  it("while an account is settled leaves that account as it was, and the next run settles it", async () => {
    const [ada, bob] = [await signUp(`ada@${domain}`), await signUp(`bob@${domain}`)]
    await set(domain, 20n)
    await grant()
    await setClock(DECEMBER)
    const { granting } = await inTransaction(runtime().pool, async (client) => {
      await client.query("SELECT FROM account WHERE id = $1 FOR UPDATE", [bob.accountId])
      const granting = grant()
      granting.catch(() => {})
      await waitsForLock()
      await query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      )
      return { granting }
    })
    await expect(granting).rejects.toThrow(/terminat/)
    expect([await entriesOf(ada), await entriesOf(bob)].map(({ length }) => length)).toEqual([3, 1])
    await grant()
    for (const actor of [ada, bob])
      expect(await entriesOf(actor)).toEqual([OF_NOVEMBER, OF_DECEMBER, "debit -20 Unused allowance of November 2026"])
  })

  it("of one account's credit keeps no other account from its own", async () => {
    const [rich, poor] = [await signUp(`rich@${domain}`), await signUp(`poor@${domain}`)]
    await credit(rich, 8_999_990n)
    await set(domain, 20n)
    await expect(grant()).rejects.toThrow("account_balance_pico_check")
    expect(await entriesOf(poor)).toEqual([OF_NOVEMBER])
    await query("SELECT post_entry($1, 'debit', $2, $3)", [rich.accountId, -8_999_990n * USD, `test:${newId()}`])
    await grant()
    expect((await entriesOf(rich)).at(-1)).toBe(OF_NOVEMBER)
  })
})
