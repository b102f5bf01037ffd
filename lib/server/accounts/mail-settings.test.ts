import { expect, it } from "vitest"
import { testRuntime } from "@/test/database"
import { signUp } from "@/test/sign-up"
import { readMailSettings, warnAt } from "./mail-settings"

const runtime = await testRuntime()

it("the balance at which the account warns is 5 USD, an owner's own amount, or the default again", async () => {
  const actor = await signUp("warn@example.com")
  expect((await readMailSettings(runtime, actor)).warning).toEqual({ ownUsd: null, nowUsd: "5.000000000000" })
  await warnAt(runtime, actor, { amountUsd: "12.50" })
  expect((await readMailSettings(runtime, actor)).warning).toEqual({
    ownUsd: "12.500000000000",
    nowUsd: "12.500000000000",
  })
  await warnAt(runtime, actor, { amountUsd: "" })
  expect((await readMailSettings(runtime, actor)).warning).toEqual({ ownUsd: null, nowUsd: "5.000000000000" })
})

it("a developer gets mails of keys, budgets, models, failures, outcomes and webhooks only, and sees no warning of the balance", async () => {
  const actor = { ...(await signUp("developer@example.com")), role: "developer" as const }
  const { mails, warning } = await readMailSettings(runtime, actor)
  const kinds = mails.map(({ kind }) => kind)
  expect(kinds).toEqual(expect.arrayContaining(["key_near_limit", "key_limit_reached", "key_expiring", "alias_moving"]))
  expect(kinds.filter((kind) => !/^(?:key|budget|alias|errors|outcome|webhook)_/.test(kind))).toEqual([])
  expect(warning).toBeNull()
  await expect(warnAt(runtime, actor, { amountUsd: "1" })).rejects.toMatchObject({ code: "forbidden" })
})
