import { expect, test } from "vitest"
import { placeHold } from "@/lib/server/ledger/hold"
import { postEntry } from "@/lib/server/ledger/post-entry"
import type { UserActor } from "@/lib/server/platform/actor"
import { newId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { ownerOf } from "@/test/sign-up"
import { listEntries } from "./entries"

const sql = (text: string, values: unknown[] = []) => runtime().pool.query(text, values)

async function owner(): Promise<UserActor> {
  const accountId = newId()
  await sql("INSERT INTO account (id) VALUES ($1)", [accountId])
  return ownerOf(accountId)
}

const credit = ({ accountId }: UserActor, micro: number, source: string) =>
  postEntry(runtime().pool, {
    accountId,
    kind: "credit",
    amountPico: pico(BigInt(micro) * 1_000_000n),
    source,
    note: "trial",
  })

await testRuntime()
await sql("INSERT INTO model (id, kind, engine, price_pico) VALUES ('billing-test-1', 'pinned', 'lexical', 20000)")

test("each entry has the balance after it, and a charge its request", async () => {
  const actor = await owner()
  const keyId = newId()
  await sql("INSERT INTO api_key (id, account_id, kind, name) VALUES ($1, $2, 'playground', 'Playground')", [
    keyId,
    actor.accountId,
  ])
  await credit(actor, 1_000_000, "test:1")
  const id = newId()
  await placeHold(runtime(), {
    id,
    actor: { accountId: actor.accountId, keyId },
    modelId: "billing-test-1",
    pricePico: pico(20_000),
    maxTokens: 50,
  })
  await sql("SELECT * FROM charge_holds(ARRAY[$1::uuid], '{3}', '{1}', ARRAY['{}']::jsonb[])", [id])
  const { entries, next } = await listEntries(runtime(), actor)
  expect(next).toBeNull()
  expect(entries.map(({ id: _id, at: _at, ...rest }) => rest)).toEqual([
    {
      kind: "charge",
      amountUsd: "-0.000000060000",
      balanceAfterUsd: "0.999999940000",
      note: null,
      isReversal: false,
      topupId: null,
      charge: {
        requestId: publicId("req", id),
        keyName: "Playground",
        keyLabel: "Playground",
        keyEnding: null,
        model: "billing-test-1",
        tokens: 3,
        tags: [],
      },
    },
    {
      kind: "credit",
      amountUsd: "1.000000000000",
      balanceAfterUsd: "1.000000000000",
      note: "trial",
      isReversal: false,
      topupId: null,
      charge: null,
    },
  ])
})

test("pages have no gap and no repetition, and only this account's entries", async () => {
  const [mine, other] = [await owner(), await owner()]
  for (let i = 0; i < 60; i++) {
    await credit(mine, i + 1, `mine:${i}`)
    await credit(other, 1000, `other:${i}`)
  }
  const first = await listEntries(runtime(), mine)
  const second = await listEntries(runtime(), mine, { before: first.next ?? undefined })
  expect([first.entries.length, second.entries.length, second.next]).toEqual([50, 10, null])
  const micros = [...first.entries, ...second.entries].map((entry) => Number(entry.amountUsd) * 1e6)
  expect(micros.map(Math.round)).toEqual(Array.from({ length: 60 }, (_, i) => 60 - i))
})

test("a kind and two days leave only their entries, on every page", async () => {
  const actor = await owner()
  await credit(actor, 1, "filter:1")
  await postEntry(runtime().pool, {
    accountId: actor.accountId,
    kind: "debit",
    amountPico: pico(-1n),
    source: "filter:2",
    note: "back",
  })
  await credit(actor, 2, "filter:3")
  const found = async (input: object) =>
    (await listEntries(runtime(), actor, input)).entries.map(({ kind, note }) => `${kind} ${note}`)
  expect(await found({})).toEqual(["credit trial", "debit back", "credit trial"])
  expect(await found({ kind: "debit" })).toEqual(["debit back"])
  expect(await found({ kind: "charge" })).toEqual([])
  expect(await found({ kind: "credit", from: "2026-01-01" })).toEqual(["credit trial", "credit trial"])
  expect(await found({ to: "2026-01-01" })).toEqual([])
  const [latest] = (await listEntries(runtime(), actor)).entries
  expect((await listEntries(runtime(), actor, { kind: "credit", before: latest?.id })).entries).toHaveLength(1)
})
