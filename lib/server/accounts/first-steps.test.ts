import { beforeAll, describe, expect, test } from "vitest"
import type { UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { EXAMPLE_REQUEST } from "@/lib/shared/decisions/example-request"
import { insertKey } from "@/test/insert-rows"
import { testService } from "@/test/service"
import { joinAccount, signUp } from "@/test/sign-up"
import { getFirstSteps, markFirstSteps } from "./first-steps"

const service = await testService({ WELCOME_CREDIT_USD: "1" })

describe("the first steps of a new account", () => {
  let ada: UserActor
  let grace: UserActor
  beforeAll(async () => {
    ada = await signUp("ada@example.com")
    grace = await signUp("grace@example.com")
  })

  test("are completed by a key, an answered request and a read answer of this account only", async () => {
    const open = { keyCreated: false, decisionSent: false, answerRead: false, isHidden: false }
    expect(await getFirstSteps(runtime(), ada)).toEqual(open)

    const { token, keyId } = await insertKey(ada.accountId)
    expect(await getFirstSteps(runtime(), ada)).toEqual({ ...open, keyCreated: true })

    expect((await service.decide(token, { ...EXAMPLE_REQUEST, questions: {} })).status).toBe(400)
    expect(await getFirstSteps(runtime(), ada)).toMatchObject({ decisionSent: false })
    expect((await service.decide(token, EXAMPLE_REQUEST)).status).toBe(200)
    expect(await getFirstSteps(runtime(), ada)).toEqual({ ...open, keyCreated: true, decisionSent: true })

    await markFirstSteps(runtime(), ada, "answer-read")
    await service.runtime.pool.query("UPDATE api_key SET revoked_at = now() WHERE id = $1", [keyId])
    expect(await getFirstSteps(runtime(), ada)).toEqual({
      keyCreated: true,
      decisionSent: true,
      answerRead: true,
      isHidden: false,
    })
    expect(await getFirstSteps(runtime(), grace)).toEqual(open)
  })

  test("end with the second answered request for people who use only the API, and for members who join later", async () => {
    const alan = await signUp("alan@example.com")
    const { token } = await insertKey(alan.accountId)
    expect((await service.decide(token, EXAMPLE_REQUEST)).status).toBe(200)
    const done = { keyCreated: true, decisionSent: true, answerRead: true, isHidden: false }
    expect(await getFirstSteps(runtime(), alan)).toEqual({ ...done, answerRead: false })
    expect((await service.decide(token, EXAMPLE_REQUEST)).status).toBe(200)
    expect(await getFirstSteps(runtime(), alan)).toEqual(done)
    expect(await getFirstSteps(runtime(), await joinAccount(alan, "developer"))).toEqual(done)
  })

  test.each(["viewer", "billing"] as const)("do not exist for a %s member, who cannot take them", async (role) => {
    expect(await getFirstSteps(runtime(), await joinAccount(grace, role))).toBe(null)
  })

  test("keep the time at which the member first read an answer", async () => {
    const read = async () =>
      (await service.runtime.pool.query("SELECT answer_read_at FROM member WHERE user_id = $1", [grace.userId])).rows
    await markFirstSteps(runtime(), grace, "answer-read")
    const first = await read()
    expect(first).toEqual([{ answer_read_at: expect.any(Date) }])
    await markFirstSteps(runtime(), grace, "answer-read")
    expect(await read()).toEqual(first)
  })

  test("can be hidden and shown again by each member separately", async () => {
    await markFirstSteps(runtime(), grace, "hidden")
    expect(await getFirstSteps(runtime(), grace)).toMatchObject({ isHidden: true })
    const linus = await joinAccount(grace, "owner")
    expect(await getFirstSteps(runtime(), linus)).toMatchObject({ isHidden: false })
    expect(await getFirstSteps(runtime(), { ...ada, accountId: grace.accountId })).toBe(null)
    await markFirstSteps(runtime(), grace, "shown")
    expect(await getFirstSteps(runtime(), grace)).toMatchObject({ isHidden: false })
  })
})
