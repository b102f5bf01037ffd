import { beforeAll, expect, test } from "vitest"
import { createKey } from "@/lib/server/keys/create-key"
import { adjustBalance } from "@/lib/server/ledger/adjust-balance"
import { verifyLedger } from "@/lib/server/ledger/verify-ledger"
import { OPERATOR, type OperatorActor, operatorFor, type UserActor } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { BadFile } from "@/lib/shared/evaluate/rows/bad-file"
import { pico } from "@/lib/shared/money"
import { readCreditsFile, readCreditsForm } from "@/lib/shared/operator/credits-file"
import { balanceOf, query } from "@/test/closing-fixture"
import { testRuntime } from "@/test/database"
import { joinAccount, signUp } from "@/test/sign-up"
import { creditAccounts } from "./credit-accounts"

beforeAll(() => testRuntime({ WELCOME_CREDIT_USD: "0" }))

const USD = 1_000_000_000_000n
const HEADER = "account,amount_usd,reference,note"

const credit = async (lines: string[], actor: OperatorActor = OPERATOR) =>
  creditAccounts(runtime(), actor, { lines: await readCreditsFile(new Blob([[HEADER, ...lines].join("\n")])) })

const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "no error",
    (error: Error) => error.message,
  )

const usdOf = async ({ accountId }: UserActor) => Number(BigInt((await balanceOf(accountId))[0].balance_pico)) / 1e12
const idOf = ({ accountId }: UserActor) => publicId("acc", accountId)

test("credits accounts by id, by a key as lists show it and by any member's address, each with an audit entry", async () => {
  const [ada, grace, edith] = [await signUp(), await signUp(), await signUp()]
  await query("DELETE FROM member WHERE user_id = $1", [edith.userId])
  const viewer = await joinAccount(grace, "viewer", edith)
  const { token } = await createKey(runtime(), ada, { name: "CI", limit: null, expiresAt: null })
  const shown = `${token.slice(0, 9)}…${token.slice(-4)}`
  const done = await credit([
    `${idOf(ada)},5,T-1,Outage`,
    `${shown},0.50,T-2,"Outage, again"`,
    `${viewer.email},7,T-1,Outage`,
  ])
  expect(done).toEqual({ credited: 3, creditedPico: 12_500_000_000_000n, repeated: 0 })
  expect([await usdOf(ada), await usdOf(grace)]).toEqual([5.5, 7])
  const { rows } = await query(
    "SELECT action, actor, detail FROM audit_event WHERE account_id = $1 AND action = 'account.credit' ORDER BY id",
    [ada.accountId],
  )
  expect(rows).toEqual([
    { action: "account.credit", actor: "operator", detail: "$5.00, reference T-1" },
    { action: "account.credit", actor: "operator", detail: "$0.50, reference T-2" },
  ])
  const notes = await query("SELECT note FROM ledger_entry WHERE account_id = $1 ORDER BY id", [ada.accountId])
  expect(notes.rows.map(({ note }) => note)).toEqual(["Outage", "Outage, again"])
})

test("a repeated file credits nothing twice, and one with a new line credits that line only", async () => {
  const [ada, grace] = [await signUp(), await signUp()]
  const lines = [`${idOf(ada)},5,R,x`, `${idOf(grace)},6,R,x`]
  await credit(lines)
  expect(await credit(lines)).toEqual({ credited: 0, creditedPico: 0n, repeated: 2 })
  expect(await credit([...lines, `${idOf(ada)},1,R2,x`])).toEqual({ credited: 1, creditedPico: USD, repeated: 2 })
  expect([await usdOf(ada), await usdOf(grace)]).toEqual([6, 6])
})

test("one bad line keeps every account from being credited, and its number is named", async () => {
  const [ada, closed, used, rich] = [await signUp(), await signUp(), await signUp(), await signUp()]
  await query("UPDATE account SET status = 'closed' WHERE id = $1", [closed.accountId])
  await credit([`${idOf(used)},5,R,x`, `${idOf(rich)},1,first,x`])
  const good = `${idOf(ada)},5,R,x`
  const faults = {
    [`${idOf(closed)},5,R,x`]: "The account is closed, so it cannot be credited.",
    [`${idOf(used)},6,R,x`]: "The reference was used for this account before, with another amount.",
    [`${idOf(rich)},9000000,R,x`]: "The balance would be larger than the ledger can store.",
    "nobody@example.com,5,R,x": "There is no account for this e-mail address.",
    [`acc_${"0".repeat(26)},5,R,x`]: "There is no such account.",
    [good]: "It has the account and the reference of line 2.",
  }
  for (const [line, fault] of Object.entries(faults))
    expect(await messageOf(credit([good, line]))).toBe(`Line 3: ${fault} Nothing was credited.`)
  const cells = {
    ",5,R,x": "column account: Enter an account.",
    [`${idOf(ada)},0,R2,x`]: "column amount_usd: Use an amount above zero in USD, such as 5 or 0.50.",
    [`${idOf(ada)},5,a b,x`]: "column reference: Use 1 to 64 letters, digits and . _ : / # - as a reference.",
    [`${idOf(ada)},5,R2,`]: "column note: Enter a note.",
  }
  for (const [line, fault] of Object.entries(cells))
    expect(await messageOf(credit([good, line]))).toBe(`Line 3, ${fault} Nothing was credited.`)
  expect(await usdOf(ada)).toBe(0)
  const { rows } = await query("SELECT FROM audit_event WHERE account_id = $1 AND action = 'account.credit'", [
    ada.accountId,
  ])
  expect(rows).toEqual([])
})

test("a file needs its columns, and has at most 1,000 lines", async () => {
  const read = (text: string) => readCreditsFile(new Blob([text]))
  await expect(read("account,amount_usd,note\na,1,x")).rejects.toThrow(BadFile)
  await expect(read(`${HEADER},more\na,1,r,x,y`)).rejects.toThrow("Remove all columns but account, amount_usd")
  const lines = Array.from({ length: 1_001 }, (_, i) => `acc_1,1,r${i},x`)
  await expect(read([HEADER, ...lines].join("\n"))).rejects.toThrow("The file has more than 1,000 lines.")
  expect(await read([HEADER, ...lines.slice(1)].join("\r\n"))).toHaveLength(1_000)
})

test("a page reads the same lines with their sum, and refuses what one call cannot carry", async () => {
  const read = (lines: string[]) => readCreditsForm(new Blob([[HEADER, ...lines].join("\n")]))
  expect(await read(["a@example.com,5,R,x", "b@example.com,0.50,R-2,y"])).toEqual({
    lines: [
      { line: 2, account: "a@example.com", amountUsd: "5.000000000000", reference: "R", note: "x" },
      { line: 3, account: "b@example.com", amountUsd: "0.500000000000", reference: "R-2", note: "y" },
    ],
    totalUsd: "5.500000000000",
  })
  const lines = (count: number) =>
    Array.from({ length: count }, (_, at) => `acc_${"0".repeat(26)},5,outage-${at},Credit for the outage`)
  expect((await read(lines(400))).lines).toHaveLength(400)
  await expect(read(lines(500))).rejects.toThrow("The file is too large for this page, which takes about 400 lines.")
})

test("a support operator credits nobody", async () => {
  await expect(credit([], { ...OPERATOR, role: "support" })).rejects.toThrow()
  await expect(creditAccounts(runtime(), { ...OPERATOR, role: "support" }, { lines: [] })).rejects.toMatchObject({
    code: "forbidden",
  })
})

test("a balance changes once for a reference, and another amount, kind or a closed account is refused", async () => {
  const owner = await signUp()
  const actor = operatorFor(owner.accountId)
  const input = { kind: "credit" as const, amountPico: pico(5n * USD), note: "Trial", reference: "T-9" }
  expect(await adjustBalance(runtime(), actor, input)).toEqual({ isNew: true })
  expect(await adjustBalance(runtime(), actor, { ...input, note: "Other" })).toEqual({ isNew: false })
  for (const other of [
    { ...input, amountPico: pico(6n * USD) },
    { ...input, kind: "debit" as const },
  ])
    await expect(adjustBalance(runtime(), actor, other)).rejects.toMatchObject({
      code: "invalid_request",
      message: "The reference was used for this account before, with another amount.",
    })
  await query("UPDATE account SET status = 'closed' WHERE id = $1", [owner.accountId])
  expect(await adjustBalance(runtime(), actor, input)).toEqual({ isNew: false })
  await expect(adjustBalance(runtime(), actor, { ...input, reference: null })).rejects.toMatchObject({
    message: "The account is closed, so it cannot be credited.",
  })
  await adjustBalance(runtime(), actor, { ...input, kind: "debit", reference: "back" })
  expect(await usdOf(owner)).toBe(0)
})

test("two files that credit the same accounts in opposite orders at once both end", async () => {
  const people = await Promise.all(Array.from({ length: 20 }, () => signUp()))
  const linesOf = (reference: string) => people.map((one) => `${idOf(one)},1,${reference},x`)
  await Promise.all([credit(linesOf("a")), credit(linesOf("b").toReversed()), credit(linesOf("a").toReversed())])
  expect(await Promise.all(people.map(usdOf))).toEqual(people.map(() => 2))
  const { ok, checks } = await verifyLedger(runtime(), { all: true })
  expect([ok, checks.filter((check) => !check.ok)]).toEqual([true, []])
})
