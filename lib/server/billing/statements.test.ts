import { describe, expect, test } from "vitest"
import { placeHold } from "@/lib/server/ledger/hold"
import { postEntry } from "@/lib/server/ledger/post-entry"
import type { UserActor } from "@/lib/server/platform/actor"
import { newId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { insertAccount, insertKey } from "@/test/insert-rows"
import { setLedgerClock } from "@/test/ledger-state"
import { ownerOf } from "@/test/sign-up"
import { explainDebt } from "./balance"
import { listEntries } from "./entries"
import { streamLedger } from "./export-ledger"
import { getStatement } from "./get-statement"
import { listMonths, monthsBetween, parseMonth } from "./months"

const MODEL = "statement-test-1"
let clock = ""

const at = async (moment: string) => {
  clock = moment
  await setLedgerClock(`timestamptz '${moment}'`)
}

await testRuntime()
await runtime().pool.query("INSERT INTO model (id, kind, engine, price_pico) VALUES ($1, 'pinned', 'lexical', 20000)", [
  MODEL,
])

async function newActor(): Promise<UserActor & { keyId: string }> {
  const { accountId, playgroundKeyId } = await insertAccount(0n)
  return { ...ownerOf(accountId), keyId: playgroundKeyId }
}

type Posted = "welcome" | "credit" | "debit" | "topup" | "refund" | "dispute"

const post = ({ accountId }: UserActor, kind: Posted, micro: number, more: { source?: string; note?: string } = {}) =>
  postEntry(runtime().pool, {
    accountId,
    kind,
    amountPico: pico(BigInt(micro) * 1_000_000n),
    source: `test:${newId()}`,
    ...more,
  })

async function charge({ accountId, keyId }: { accountId: string; keyId: string }, tokens: number): Promise<string> {
  const id = newId()
  await placeHold(runtime(), {
    id,
    actor: { accountId, keyId },
    modelId: MODEL,
    pricePico: pico(20_000),
    maxTokens: 1000,
  })
  await runtime().pool.query("SELECT * FROM charge_holds($1, $2, '{1}', ARRAY['{}']::jsonb[])", [[id], [tokens]])
  return publicId("req", id)
}

const read = async (actor: UserActor, month: string) => new Response(streamLedger(runtime(), actor, { month })).text()

describe("a month", () => {
  test("begins and ends at midnight UTC, and its statement adds up to the pico-dollar", async () => {
    const actor = await newActor()
    await at("2026-10-31T23:59:59.999Z")
    await post(actor, "credit", 10_000_000, { note: "trial" })
    await at("2026-11-01T00:00:00Z")
    await charge(actor, 3)
    await charge(actor, 4)
    await at("2026-11-02T10:00:00Z")
    const topup = newId()
    await post(actor, "topup", 25_000_000, { source: `topup:${topup}` })
    await charge(actor, 100)
    await post(actor, "refund", -5_000_000, { source: `topup:${topup}:refund:4` })
    await at("2026-12-01T00:00:00Z")
    await post(actor, "debit", -1_000_000)
    const november = await getStatement(runtime(), actor, { month: "2026-11" })
    expect(november).toMatchObject({
      accountId: publicId("acc", actor.accountId),
      isOver: true,
      openingUsd: "10.000000000000",
      closingUsd: "29.999997860000",
      charges: [
        { day: "2026-11-01", keyLabel: "Playground", decisions: 2, tokens: 7, amountUsd: "-0.000000140000" },
        { day: "2026-11-02", keyLabel: "Playground", decisions: 1, tokens: 100, amountUsd: "-0.000002000000" },
      ],
    })
    expect(november.entries.map(({ kind, amountUsd, topupId }) => [kind, amountUsd, topupId])).toEqual([
      ["topup", "25.000000000000", publicId("top", topup)],
      ["refund", "-5.000000000000", publicId("top", topup)],
    ])
    expect(new Map(november.totals.map(({ kind, amountUsd }) => [kind, amountUsd]))).toEqual(
      new Map([
        ["topup", "25.000000000000"],
        ["refund", "-5.000000000000"],
        ["charge", "-0.000002140000"],
      ]),
    )
    const december = await getStatement(runtime(), actor, { month: "2026-12" })
    expect([december.openingUsd, december.closingUsd, december.isOver]).toEqual([
      "29.999997860000",
      "28.999997860000",
      false,
    ])
    expect(await getStatement(runtime(), actor, { month: "2026-09" })).toMatchObject({
      openingUsd: "0.000000000000",
      closingUsd: "0.000000000000",
      entries: [],
      charges: [],
      totals: [],
    })
    expect(await listMonths(runtime(), actor)).toEqual(["2026-12", "2026-11", "2026-10"])
    expect(await listMonths(runtime(), await newActor())).toEqual([])
  })

  test("is exported with a label, an exact amount and the balance after each entry", async () => {
    const actor = await newActor()
    await at("2026-11-20T15:04:09.250Z")
    await post(actor, "credit", 1_000_000, { note: 'a "gift", really' })
    const requestId = await charge(actor, 3)
    const topup = newId()
    await post(actor, "topup", 5_000_000, { source: `topup:${topup}` })
    await post(actor, "credit", 1, { source: `undo:${newId()}`, note: "Its answer was not sent" })
    const lines = (await read(actor, "2026-11")).split("\r\n")
    expect(lines.map((line) => line.replace(/,\d+,$/, ",#,"))).toEqual([
      "time_utc,entry,amount_usd,balance_after_usd,key,model,tokens,request_id,top_up_id,note,entry_id,key_ending",
      `${clock},"Credit by the operator",1.000000000000,1.000000000000,,,,,,"a ""gift"", really",#,`,
      `${clock},"Decision",-0.000000060000,0.999999940000,"Playground","statement-test-1",3,${requestId},,,#,`,
      `${clock},"Top-up",5.000000000000,5.999999940000,,,,,${publicId("top", topup)},,#,`,
      `${clock},"Charge reversed",0.000001000000,6.000000940000,,,,,,"Its answer was not sent",#,`,
      "",
    ])
    expect(await read(actor, "2026-10")).toBe(`${lines[0]}\r\n`)
  })

  test("distinguishes keys with the same name by their endings, as the ledger does", async () => {
    const actor = await newActor()
    const [one, two] = [await insertKey(actor.accountId), await insertKey(actor.accountId)]
    await at("2026-11-05T00:00:00Z")
    await post(actor, "credit", 1_000_000)
    for (const { keyId } of [one, two, actor]) await charge({ accountId: actor.accountId, keyId }, 3)
    const ending = ({ token }: { token: string }) => `Test …${token.slice(-4)}`
    const expected = [ending(one), ending(two), "Playground"].sort()
    const { charges } = await getStatement(runtime(), actor, { month: "2026-11" })
    expect(charges.map(({ keyLabel }) => keyLabel).sort()).toEqual(expected)
    const { entries } = await listEntries(runtime(), actor)
    expect(entries.flatMap(({ charge: of }) => of?.keyLabel ?? []).sort()).toEqual(expected)
    expect(entries[1]?.charge?.keyName).toBe("Test")
    const lines = (await read(actor, "2026-11")).trimEnd().split("\r\n").slice(-3)
    expect(lines.map((line) => line.split(",").at(-1))).toEqual([
      `"${one.token.slice(-4)}"`,
      `"${two.token.slice(-4)}"`,
      "",
    ])
  })

  test("of many entries is exported in order, without a gap or a repetition", async () => {
    const actor = await newActor()
    await at("2026-11-05T00:00:00Z")
    await runtime().pool.query(
      `SELECT post_entry($1::uuid, 'credit', n * 1000000::bigint, 'many:' || n || $1::uuid) FROM generate_series(1, 2500) AS n`,
      [actor.accountId],
    )
    const lines = (await read(actor, "2026-11")).trimEnd().split("\r\n").slice(1)
    expect(lines.map((line) => Math.round(Number(line.split(",")[2]) * 1e6))).toEqual(
      Array.from({ length: 2500 }, (_, i) => i + 1),
    )
  })

  test("of another account is not shown", async () => {
    const [mine, other] = [await newActor(), await newActor()]
    await at("2026-11-05T00:00:00Z")
    await post(mine, "credit", 1_000_000)
    expect((await read(other, "2026-11")).split("\r\n")).toHaveLength(2)
    expect((await getStatement(runtime(), other, { month: "2026-11" })).entries).toEqual([])
  })

  test.each(["2026-13", "2026-00", "2026-1", "1999-01", "2026-11-01", "", "' OR 1=1", undefined, ["2026-11"]])(
    "is not %o",
    (text) => expect(parseMonth(text)).toBeNull(),
  )

  test("follows another over the turn of the year", () => {
    expect(monthsBetween(new Date("2026-11-30T23:00:00Z"), new Date("2027-02-01T00:00:00Z"))).toEqual([
      "2027-02",
      "2027-01",
      "2026-12",
      "2026-11",
    ])
  })
})

describe("a balance below zero is explained", () => {
  const dispute = { kind: "dispute", amountUsd: "25.000000000000", note: null }
  const refund = { kind: "refund", amountUsd: "2.500000000000", note: null }

  test("by the debits since credit last made it positive, the largest first", async () => {
    const actor = await newActor()
    await post(actor, "credit", 1_000_000)
    await post(actor, "debit", -900_000)
    await post(actor, "topup", 26_000_000)
    expect(await explainDebt(runtime(), actor, "26.100000000000")).toBeNull()
    await post(actor, "refund", -3_000_000)
    await post(actor, "dispute", -25_000_000)
    await post(actor, "refund", 500_000)
    expect(await explainDebt(runtime(), actor, "-1.400000000000")).toEqual({
      parts: [dispute, refund],
      smallestTopupUsd: null,
    })
    // Credit that is not enough changes nothing about the reasons.
    await post(actor, "credit", 1_000_000)
    expect(await explainDebt(runtime(), actor, "-0.400000000000")).toEqual({
      parts: [dispute, refund],
      smallestTopupUsd: null,
    })
    await post(actor, "dispute", 25_000_000)
    await post(actor, "topup", 5_000_000)
    await post(actor, "debit", -80_000_000, { note: "September" })
    await post(actor, "debit", -10_000_000, { note: "Correction of the October credit" })
    expect((await explainDebt(runtime(), actor, "-60.400000000000"))?.parts).toEqual([
      { kind: "debit", amountUsd: "90.000000000000", note: "Correction of the October credit" },
    ])
  })

  test("by no debit when the last request alone made it negative", async () => {
    const actor = await newActor()
    expect(await explainDebt(runtime(), actor, "-0.004000000000")).toEqual({ parts: [], smallestTopupUsd: null })
  })
})
