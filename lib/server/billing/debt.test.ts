import { describe, expect, test } from "vitest"
import { type PostedEntry, postEntry } from "@/lib/server/ledger/post-entry"
import type { UserActor } from "@/lib/server/platform/actor"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { insertAccount } from "@/test/insert-rows"
import { ownerOf } from "@/test/sign-up"
import { explainDebt } from "./balance"

await testRuntime()

const newActor = async (): Promise<UserActor> => ownerOf((await insertAccount(0n)).accountId)

const post = ({ accountId }: UserActor, kind: PostedEntry["kind"], micro: number, more: { note?: string } = {}) =>
  postEntry(runtime().pool, {
    accountId,
    kind,
    amountPico: pico(BigInt(micro) * 1_000_000n),
    source: `test:${newId()}`,
    ...more,
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
