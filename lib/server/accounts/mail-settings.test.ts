import { expect, it } from "vitest"
import { testRuntime } from "@/test/database"
import { signUp } from "@/test/sign-up"
import { muteMail, readMailSettings, warnAt } from "./mail-settings"

const runtime = await testRuntime()

it("a member chooses their mails, and what they turn off stays off until they turn it on", async () => {
  const actor = await signUp("choose@example.com")
  const wanted = async () =>
    (await readMailSettings(runtime, actor)).mails.filter(({ isWanted }) => isWanted).map(({ kind }) => kind)
  const all = await wanted()
  expect(all).toEqual(expect.arrayContaining(["balance_low", "key_near_limit", "topup_paid"]))
  await muteMail(runtime, actor, { muted: ["balance_low"] })
  expect(await wanted()).toEqual(all.filter((kind) => kind !== "balance_low"))
  await muteMail(runtime, actor, { muted: [] })
  expect(await wanted()).toEqual(all)
})

it("mails about the safety of the account are not offered and cannot be turned off", async () => {
  const actor = await signUp("safety@example.com")
  expect((await readMailSettings(runtime, actor)).mails.map(({ kind }) => kind)).not.toContain("key_created")
  await muteMail(runtime, actor, { muted: ["key_created", "topup_disputed", "unknown"] })
  const { rows } = await runtime.pool.query("SELECT muted_mail FROM member WHERE user_id = $1", [actor.userId])
  expect(rows).toEqual([{ muted_mail: [] }])
})

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

it("a developer gets mails of keys and models only, and sees no warning of the balance", async () => {
  const actor = { ...(await signUp("developer@example.com")), role: "developer" as const }
  const { mails, warning } = await readMailSettings(runtime, actor)
  const kinds = mails.map(({ kind }) => kind)
  expect(kinds).toEqual(expect.arrayContaining(["key_near_limit", "key_limit_reached", "key_expiring", "alias_moving"]))
  expect(kinds.filter((kind) => !/^(?:key|alias)_/.test(kind))).toEqual([])
  expect(warning).toBeNull()
  await expect(warnAt(runtime, actor, { amountUsd: "1" })).rejects.toMatchObject({ code: "forbidden" })
})
