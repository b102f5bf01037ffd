import { beforeEach, expect, test, vi } from "vitest"
import { listServiceAudit } from "@/lib/server/audit/list-service-audit"
import { eraseUser } from "@/lib/server/closing/erase"
import { OPERATOR, type OperatorActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { insertSessionOf } from "@/test/insert-rows"
import { keepMails } from "@/test/keep-mails"
import { nextRequest } from "@/test/next-request"
import { signUp } from "@/test/sign-up"
import { requestEmailChange } from "./change-email"
import { confirmEmail } from "./confirm-email"
import { requireOperatorForAction } from "./operator"
import { inviteOperator, listOperators, removeOperator } from "./operators"

vi.mock("next/headers", async (original) => (await import("@/test/next-request")).mockHeaders(original))

await testRuntime({ OPERATOR_EMAILS: "ada@example.com" })
const ada = await signUp("ada@example.com")
const admin: OperatorActor = { ...OPERATOR, userId: ada.userId }
const mails = keepMails()

beforeEach(() => {
  mails.sent = []
  mails.fails = false
})

/** Signs the address up, and makes its session the one that pages and actions see. */
async function signIn(email: string) {
  const user = await signUp(email)
  nextRequest.headers.set("cookie", await insertSessionOf(user.userId))
  return user
}

/** Returns the role with which the session may act in the operator's area; "not found" without one. */
const roleNow = () =>
  requireOperatorForAction().then(
    ({ role }) => role,
    ({ digest }) => (digest === "NEXT_HTTP_ERROR_FALLBACK;404" ? "not found" : digest),
  )

test("an invited person has the role, a changed role and the end of it from the next action on", async () => {
  const grace = await signIn("grace@example.com")
  expect(await roleNow()).toBe("not found")
  const { id } = await inviteOperator(runtime(), admin, { email: "grace@example.com", role: "finance" })
  expect(await roleNow()).toBe("finance")
  expect(await inviteOperator(runtime(), admin, { email: "grace@example.com", role: "support" })).toEqual({ id })
  expect(await roleNow()).toBe("support")
  await removeOperator(runtime(), admin, { id })
  expect(await roleNow()).toBe("not found")

  expect(mails.sent.map(({ to, subject }) => [to, subject])).toEqual([
    [grace.email, "Help to operate the service at localhost:3000"],
    [grace.email, "Help to operate the service at localhost:3000"],
    [grace.email, "You no longer operate the service at localhost:3000"],
  ])
  expect(mails.sent[0]?.text).toContain("ada@example.com made you a finance operator of")
  const { lines } = await listServiceAudit(runtime(), OPERATOR, { show: "operator" })
  expect(lines.map(({ action, subject, detail, by }) => [action, subject, detail, by])).toEqual([
    ["operator.remove", id, null, ada.email],
    ["operator.invite", id, "support", ada.email],
    ["operator.invite", id, "finance", ada.email],
  ])
})

test("the list has the admins of the setting first, then who was invited", async () => {
  const { id } = await inviteOperator(runtime(), OPERATOR, { email: "new@example.com", role: "support" })
  expect(mails.sent[0]?.text).toContain("An admin made you a support operator of")
  expect(await listOperators(runtime(), admin)).toEqual([
    { id: null, email: "ada@example.com", role: "admin", invitedAt: null, isUser: true },
    { id, email: "new@example.com", role: "support", invitedAt: expect.stringMatching(/^20.*Z$/), isUser: false },
  ])
  await removeOperator(runtime(), admin, { id })
})

test("the list also has the invited role of a person whom the setting names by now", async () => {
  const { id } = await inviteOperator(runtime(), OPERATOR, { email: "both@example.com", role: "finance" })
  const { env } = runtime()
  Object.assign(runtime(), { env: { ...env, OPERATOR_EMAILS: new Set(["both@example.com"]) } })
  try {
    const found = (await listOperators(runtime(), admin)).map((one) => [one.id, one.email, one.role])
    expect(found).toEqual([
      [null, "both@example.com", "admin"],
      [id, "both@example.com", "finance"],
    ])
  } finally {
    Object.assign(runtime(), { env })
  }
  await removeOperator(runtime(), admin, { id })
})

test("an admin of the setting cannot be invited, and an unknown operator cannot be removed", async () => {
  await expect(inviteOperator(runtime(), admin, { email: "ada@example.com", role: "support" })).rejects.toMatchObject({
    code: "invalid_request",
    message: "OPERATOR_EMAILS names this person as an admin.",
  })
  await expect(removeOperator(runtime(), admin, { id: `opr_${"0".repeat(26)}` })).rejects.toMatchObject({
    code: "not_found",
  })
  expect(mails.sent).toEqual([])
})

test.each(["support", "finance"] as const)(
  "a %s operator can neither list, invite nor remove operators",
  async (role) => {
    const actor: OperatorActor = { ...admin, role }
    for (const work of [
      listOperators(runtime(), actor),
      inviteOperator(runtime(), actor, { email: "x@example.com", role: "finance" }),
      removeOperator(runtime(), actor, { id: "opr_1" }),
    ])
      await expect(work).rejects.toMatchObject({
        code: "forbidden",
        message: "Only an admin of this service can change it.",
      })
  },
)

test("the change stays when its mail fails, and the admin learns it", async () => {
  await signIn("late@example.com")
  mails.fails = true
  await expect(inviteOperator(runtime(), admin, { email: "late@example.com", role: "support" })).rejects.toMatchObject({
    code: "upstream_error",
    message: "The change was saved, but the e-mail about it could not be sent. Write to the person yourself.",
  })
  expect(await roleNow()).toBe("support")
})

test("a role ends with the address: when its user moves to another one, and when its user is deleted", async () => {
  const moved = await signIn("moving@example.com")
  await inviteOperator(runtime(), admin, { email: moved.email, role: "finance" })
  mails.sent = []
  await requestEmailChange(runtime(), moved, { email: "moved@example.com" })
  for (const { text } of mails.sent) await confirmEmail(runtime(), /[0-9a-f]{64}/.exec(text)?.[0] ?? "", null)
  expect(await roleNow()).toBe("not found")
  await signIn("moving@example.com")
  expect(await roleNow()).toBe("not found")

  const gone = await signUp("gone@example.com")
  await inviteOperator(runtime(), admin, { email: gone.email, role: "finance" })
  const client = await runtime().pool.connect()
  await eraseUser(runtime(), client, gone)
  client.release()
  await signIn("gone@example.com")
  expect(await roleNow()).toBe("not found")
})
