import { describe, expect, test } from "vitest"
import { createKey } from "@/lib/server/keys/create-key"
import { placeHold } from "@/lib/server/ledger/hold"
import { postEntry } from "@/lib/server/ledger/post-entry"
import type { UserActor } from "@/lib/server/platform/actor"
import { newId, parsePublicId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { insertAccount, insertKey } from "@/test/insert-rows"
import { setLedgerClock } from "@/test/ledger-state"
import { ownerOf, signUp } from "@/test/sign-up"
import { listEntries } from "./entries"
import { streamLedger } from "./export-ledger"
import { getStatement } from "./get-statement"
import { listStatements } from "./list-statements"
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
      byKey: [{ name: "Playground", decisions: 3, tokens: 107, amountUsd: "-0.000002140000" }],
      byModel: [{ name: MODEL, decisions: 3, tokens: 107, amountUsd: "-0.000002140000" }],
      byMember: [
        { name: "Playground and keys without a creator", decisions: 3, tokens: 107, amountUsd: "-0.000002140000" },
      ],
    })
    expect(november.number).toBe(`2026-11-${publicId("acc", actor.accountId).slice(-8).toUpperCase()}`)
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
      totals: [],
      byKey: [],
      byModel: [],
      byMember: [],
      byTag: [],
    })
    expect(await listMonths(runtime(), actor)).toEqual(["2026-12", "2026-11", "2026-10"])
    expect(await listMonths(runtime(), await newActor())).toEqual([])
  })

  test("is in the list of statements with sums that lead to its closing balance", async () => {
    const actor = await newActor()
    await at("2026-10-31T23:59:59.999Z")
    await post(actor, "credit", 10_000_000)
    await charge(actor, 3)
    await at("2026-12-01T00:00:00Z")
    await charge(actor, 4)
    await post(actor, "debit", -1_000_000)
    const statements = await listStatements(runtime(), actor)
    expect(statements.map(({ number: _number, ...amounts }) => amounts)).toEqual([
      {
        month: "2026-12",
        chargedUsd: "-0.000000080000",
        creditedUsd: "-1.000000000000",
        closingUsd: "8.999999860000",
      },
      {
        month: "2026-11",
        chargedUsd: "0.000000000000",
        creditedUsd: "0.000000000000",
        closingUsd: "9.999999940000",
      },
      {
        month: "2026-10",
        chargedUsd: "-0.000000060000",
        creditedUsd: "10.000000000000",
        closingUsd: "9.999999940000",
      },
    ])
    for (const { month, closingUsd } of statements)
      expect((await getStatement(runtime(), actor, { month })).closingUsd).toBe(closingUsd)
  })

  test("is summed by the members who created the keys", async () => {
    await at("2026-11-05T00:00:00Z")
    const owner = await signUp()
    const { id } = await createKey(runtime(), owner, { name: "CI", limit: null, expiresAt: null })
    await post(owner, "credit", 1_000_000)
    await charge({ accountId: owner.accountId, keyId: parsePublicId("key", id) ?? "" }, 3)
    const { byMember } = await getStatement(runtime(), owner, { month: "2026-11" })
    expect(byMember).toEqual([{ name: owner.email, decisions: 1, tokens: 3, amountUsd: "-0.000000060000" }])
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
    expect(lines.map((line) => line.replace(/,\d+,,$/, ",#,,"))).toEqual([
      "time_utc,entry,amount_usd,balance_after_usd,key,model,tokens,request_id,top_up_id,note,entry_id,key_ending,tags",
      `${clock},"Credit by the operator",1.000000000000,1.000000000000,,,,,,"a ""gift"", really",#,,`,
      `${clock},"Decision",-0.000000060000,0.999999940000,"Playground","statement-test-1",3,${requestId},,,#,,`,
      `${clock},"Top-up",5.000000000000,5.999999940000,,,,,${publicId("top", topup)},,#,,`,
      `${clock},"Charge reversed",0.000001000000,6.000000940000,,,,,,"Its answer was not sent",#,,`,
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
    const { byKey } = await getStatement(runtime(), actor, { month: "2026-11" })
    expect(byKey.map(({ name }) => name).sort()).toEqual(expected)
    const { entries } = await listEntries(runtime(), actor)
    expect(entries.flatMap(({ charge: of }) => of?.keyLabel ?? []).sort()).toEqual(expected)
    expect(entries[1]?.charge?.keyName).toBe("Test")
    const lines = (await read(actor, "2026-11")).trimEnd().split("\r\n").slice(-3)
    expect(lines.map((line) => line.split(",").at(-2))).toEqual([
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
    expect((await getStatement(runtime(), other, { month: "2026-11" })).totals).toEqual([])
    expect(await listStatements(runtime(), other)).toEqual([])
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
