import { expect, it } from "vitest"
import { operatorFor, type UserActor } from "@/lib/server/platform/actor"
import { testRuntime } from "@/test/database"
import { signUp } from "@/test/sign-up"
import { createKey } from "./create-key"
import { getKeyRules, setKeyRules } from "./key-rules"

const runtime = await testRuntime()

const create = (
  actor: Parameters<typeof createKey>[1],
  amountUsd: string | null,
  period: "daily" | "lifetime" = "daily",
) =>
  createKey(runtime, actor, { name: "CI", expiresAt: null, limit: amountUsd === null ? null : { amountUsd, period } })

const capped = async (email: string): Promise<UserActor> => {
  const actor = await signUp(email)
  await setKeyRules(runtime, actor, { defaultUsd: "2", defaultPeriod: "lifetime", maxUsd: "20" })
  return actor
}

it("without rules, a new key may have any limit or none", async () => {
  const actor = await signUp("free@example.com")
  expect(await getKeyRules(runtime, actor)).toEqual({ standard: null, maxUsd: null })
  await create(actor, null)
  await create(actor, "1000")
})

it("no member, operator or command creates a key above the account's maximum, or without a limit", async () => {
  const actor = await capped("capped@example.com")
  const refused = { code: "invalid_request", param: "limit", message: expect.stringContaining("at most $20.00") }
  for (const by of [actor, operatorFor(actor.accountId)]) {
    await create(by, "20")
    await create(by, "20", "lifetime")
    await expect(create(by, "20.000000000001")).rejects.toMatchObject(refused)
    await expect(create(by, null)).rejects.toMatchObject(refused)
  }
})

it("rules are read as they were set, can be removed, and hold for one account only", async () => {
  const [actor, other] = [await capped("set@example.com"), await signUp("other@example.com")]
  expect(await getKeyRules(runtime, actor)).toEqual({
    standard: { amountUsd: "2.000000000000", period: "lifetime" },
    maxUsd: "20.000000000000",
  })
  await create(other, "100")
  await setKeyRules(runtime, actor, { defaultUsd: "", defaultPeriod: "daily", maxUsd: "" })
  expect(await getKeyRules(runtime, actor)).toEqual({ standard: null, maxUsd: null })
  await create(actor, null)
})

it("a key that exists keeps a limit above a later maximum", async () => {
  const actor = await signUp("older@example.com")
  const { id } = await create(actor, "100")
  await setKeyRules(runtime, actor, { defaultUsd: "", defaultPeriod: "daily", maxUsd: "1" })
  const { rows } = await runtime.pool.query(
    "SELECT limit_pico FROM api_key WHERE account_id = $1 AND kind = 'secret'",
    [actor.accountId],
  )
  expect([id.slice(0, 4), rows]).toEqual(["key_", [{ limit_pico: "100000000000000" }]])
})

it("only an owner who signed in recently sets the rules", async () => {
  const actor = await signUp("who@example.com")
  const input = { defaultUsd: "", defaultPeriod: "daily" as const, maxUsd: "5" }
  await expect(setKeyRules(runtime, { ...actor, role: "developer" }, input)).rejects.toMatchObject({
    code: "forbidden",
  })
  const stale = { ...actor, confirmedAtMs: { ...actor.confirmedAtMs, spending: 0 } }
  await expect(setKeyRules(runtime, stale, input)).rejects.toMatchObject({
    code: "confirmation_required",
    param: "setKeyRules",
  })
  expect(await getKeyRules(runtime, actor)).toEqual({ standard: null, maxUsd: null })
})
