import { expect, test } from "vitest"
import { createKey } from "@/lib/server/keys/create-key"
import { OPERATOR } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { signUp } from "@/test/sign-up"
import { listQueuedMail, resendMail } from "./mail-queue"
import { sendQueuedMail } from "./send-queued"

let fails = true
let sent = 0
await testRuntime()
const send = async () => {
  if (fails) throw new Error("no mail server")
  sent++
}
runtime().mailer = { send, check: async () => !fails }

test("the operator sends a given-up mail again, once, and the audit log has it", async () => {
  const actor = await signUp("reader@example.com")
  await createKey(runtime(), actor, {
    name: "Secret project",
    limit: { amountUsd: "1", period: "daily" },
    expiresAt: null,
  })
  await runtime().pool.query("UPDATE queued_mail SET attempts = 49")
  await sendQueuedMail(runtime())
  const [given] = await listQueuedMail(runtime(), OPERATOR)
  expect(given).toMatchObject({ label: "A key was created", to: "reader@example.com", state: "given_up", attempts: 50 })
  expect(JSON.stringify(given)).not.toContain("Secret project")
  const id = given?.id ?? ""
  const results = await Promise.allSettled([
    resendMail(runtime(), OPERATOR, { id }),
    resendMail(runtime(), OPERATOR, { id }),
  ])
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
  fails = false
  await sendQueuedMail(runtime())
  expect([sent, (await listQueuedMail(runtime(), OPERATOR))[0]?.state]).toEqual([1, "sent"])
  await expect(resendMail(runtime(), OPERATOR, { id })).rejects.toMatchObject({ code: "not_found" })
  const { rows } = await runtime().pool.query("SELECT subject, detail FROM audit_event WHERE action = 'mail.resend'")
  expect(rows).toEqual([{ subject: publicId("acc", actor.accountId), detail: "A key was created" }])
})
