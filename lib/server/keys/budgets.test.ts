import { expect, it } from "vitest"
import { placeHold } from "@/lib/server/ledger/hold"
import { newId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { insertKey, insertModel } from "@/test/insert-rows"
import { signUp } from "@/test/sign-up"
import { listBudgets, removeBudget, setBudget } from "./budgets"

await testRuntime()
const modelId = await insertModel()

it("a request over a budget is refused with the limit and the reset of the tightest one, until it is removed", async () => {
  const owner = await signUp("ada@budgets.example")
  const { accountId, userId } = owner
  const { keyId } = await insertKey(accountId, { createdBy: userId })
  const ofMember = { of: publicId("usr", userId), tag: "", period: "daily" as const }
  const ofTag = { of: "tag", tag: "team=search", period: "monthly" as const }
  await setBudget(runtime(), owner, { of: "account", tag: "", period: "monthly", limitUsd: "0.03" })
  await setBudget(runtime(), owner, { ...ofMember, limitUsd: "0.02" })
  await setBudget(runtime(), owner, { ...ofTag, limitUsd: "0.01" })
  const budgets = await listBudgets(runtime(), owner)
  expect(budgets.map(({ member, tag, limitUsd }) => [member?.email, tag, limitUsd])).toEqual([
    [undefined, null, "0.030000000000"],
    [undefined, "team=search", "0.010000000000"],
    ["ada@budgets.example", null, "0.020000000000"],
  ])
  const resets = budgets.map(({ resetsAt }) => new Date(resetsAt))
  const request = { actor: { accountId, keyId }, modelId, pricePico: pico(1_000_000n), maxTokens: 25_000 }
  const place = (tags: string[]) => placeHold(runtime(), { ...request, id: newId(), tags })
  const refusal = { outcome: "key_limit" }
  expect(await place(["team=search"])).toEqual({ ...refusal, limitPico: 10_000_000_000n, resetsAt: resets[1] })
  expect(await place([])).toEqual({ ...refusal, limitPico: 20_000_000_000n, resetsAt: resets[2] })
  await removeBudget(runtime(), owner, ofMember)
  expect(await place([])).toEqual({ outcome: "held" })
  expect(await place([])).toEqual({ ...refusal, limitPico: 30_000_000_000n, resetsAt: resets[0] })
  await expect(removeBudget(runtime(), owner, ofMember)).rejects.toMatchObject({ code: "not_found" })
})

it("a person who is no member gets no budget", async () => {
  const [owner, other] = [await signUp("bea@budgets.example"), await signUp("eve@budgets.example")]
  const input = { of: publicId("usr", other.userId), tag: "", period: "daily" as const, limitUsd: "1" }
  await expect(setBudget(runtime(), owner, input)).rejects.toMatchObject({ code: "not_found" })
})
