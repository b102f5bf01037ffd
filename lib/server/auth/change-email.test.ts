import { beforeAll, beforeEach, describe, expect, it } from "vitest"
import { describeAudit, listAudit } from "@/lib/server/audit/list-audit"
import { sendQueuedMail } from "@/lib/server/mail/send-queued"
import type { UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { keepMails } from "@/test/keep-mails"
import { signedInAt, signUp } from "@/test/sign-up"
import { meanwhile } from "@/test/waits-for-lock"
import { cancelEmailChange, findEmailChange, requestEmailChange } from "./change-email"
import { confirmEmail } from "./confirm-email"

let mails: ReturnType<typeof keepMails>
beforeAll(async () => {
  await testRuntime({
    EMAIL_SERVER: "smtp://localhost:2525",
    EMAIL_FROM: "service@example.com",
    WELCOME_CREDIT_USD: "2",
  })
})
beforeEach(() => {
  mails = keepMails()
})

const query = (text: string, values: unknown[] = []) => runtime().pool.query(text, values)
const emailOf = async ({ userId }: UserActor) =>
  (await query("SELECT email FROM app_user WHERE id = $1", [userId])).rows[0].email

/** Returns the token in the newest mail to an address. */
function tokenOf(email: string): string {
  const text = mails.sent.filter(({ to }) => to === email).at(-1)?.text ?? ""
  return new URLSearchParams(/#(\S+)/.exec(text)?.[1]).get("m") ?? ""
}

const confirm = (email: string) => confirmEmail(runtime(), tokenOf(email), null)

it("a change of address is refused to a request that waited while its user was deleted", async () => {
  const user = await signUp("late@old.example")
  const requesting = meanwhile(
    () => requestEmailChange(runtime(), user, { email: "late@new.example" }),
    (client) => client.query("UPDATE app_user SET erased_at = now() WHERE id = $1", [user.userId]),
  )
  await expect(requesting).rejects.toMatchObject({ code: "signed_out" })
  expect(mails.sent).toEqual([])
  const { rows } = await query("SELECT FROM email_change WHERE new_email = 'late@new.example'")
  expect(rows).toEqual([])
})

describe("a change of address", () => {
  it.each([
    ["the old address first", ["ada@old.example", "ada@new.example"]],
    ["the new address first", ["bob@new.example", "bob@old.example"]],
  ])("is made once both addresses confirmed, %s", async (_, [first = "", second = ""]) => {
    const name = first.split("@")[0]
    const user = await signUp(`${name}@old.example`)
    await requestEmailChange(runtime(), user, { email: `${name}@new.example` })
    expect(mails.sent.map(({ to }) => to)).toEqual([`${name}@old.example`, `${name}@new.example`])
    expect(await confirm(first)).toBe("half")
    expect(await confirm(first)).toBe("half")
    expect(await emailOf(user)).toBe(`${name}@old.example`)
    expect(await findEmailChange(runtime(), user)).toMatchObject({
      isOldConfirmed: first.includes("old"),
      isNewConfirmed: first.includes("new"),
    })
    expect(await confirm(second)).toBe("changed")
    expect(await emailOf(user)).toBe(`${name}@new.example`)
    expect(await confirm(second)).toBe("changed")
    expect(await findEmailChange(runtime(), user)).toBeNull()
    const lines = (await listAudit(runtime(), user, { topic: "sign-ins" })).lines.map(
      (line) => `${line.by}: ${describeAudit(line)}`,
    )
    expect(lines).toEqual([
      `${name}@new.example: Changed their e-mail address from ${name}@old.example to ${name}@new.example`,
      `${name}@new.example: Requested a change of their e-mail address`,
      `${name}@new.example: Created the account`,
    ])
  })

  it("is mailed to the old address once it is made, without a link that signs in", async () => {
    const user = await signUp("lou@old.example")
    await sendQueuedMail(runtime())
    mails.sent = []
    await requestEmailChange(runtime(), user, { email: "lou@new.example" })
    await confirm("lou@old.example")
    await sendQueuedMail(runtime())
    expect(mails.sent).toHaveLength(2)
    await confirm("lou@new.example")
    await confirm("lou@new.example")
    mails.sent = []
    await sendQueuedMail(runtime())
    await sendQueuedMail(runtime())
    expect(mails.sent.map(({ to, subject }) => [to, subject])).toEqual([
      ["lou@old.example", "Your e-mail address was changed at localhost:3000"],
    ])
    expect(mails.sent[0]?.text).toContain("You now sign in as lou@new.example.")
    expect(mails.sent[0]?.text?.match(/http\S+/g)).toEqual(["http://localhost:3000"])
  })

  it("is made once when both confirm at the same time", async () => {
    const user = await signUp("cas@old.example")
    await requestEmailChange(runtime(), user, { email: "cas@new.example" })
    const outcomes = await Promise.all([confirm("cas@old.example"), confirm("cas@new.example")])
    expect(outcomes.toSorted()).toEqual(["changed", "half"])
    expect(await emailOf(user)).toBe("cas@new.example")
  })

  it("keeps each previous address once until the user is deleted, also when an earlier release changes the address", async () => {
    const { userId } = await signUp("gus@one.example")
    const past = async () =>
      (await query("SELECT past_emails FROM app_user WHERE id = $1", [userId])).rows[0].past_emails
    const MOVE = "UPDATE app_user SET email = $2, email_verified_at = now() WHERE id = $1"
    await query(MOVE, [userId, "gus@two.example"])
    await query(MOVE, [userId, "gus@two.example"])
    expect(await past()).toEqual(["gus@one.example"])
    await query(MOVE, [userId, "gus@one.example"])
    await query(MOVE, [userId, "gus@two.example"])
    expect(await past()).toEqual(["gus@two.example", "gus@one.example"])
    await query("UPDATE app_user SET email = 'deleted', erased_at = now() WHERE id = $1", [userId])
    expect(await past()).toEqual([])
  })

  it("gives the previous address no second welcome credit", async () => {
    const user = await signUp("dan@old.example")
    await requestEmailChange(runtime(), user, { email: "dan@new.example" })
    await confirm("dan@old.example")
    await confirm("dan@new.example")
    const { accountId } = await signUp("dan@old.example")
    expect((await query("SELECT balance_pico FROM account WHERE id = $1", [accountId])).rows).toEqual([
      { balance_pico: "0" },
    ])
  })

  it("to an address with a user looks the same, and fails only after both mailboxes confirmed", async () => {
    const [user] = [await signUp("eve@old.example"), await signUp("eve@taken.example")]
    expect(await requestEmailChange(runtime(), user, { email: "eve@taken.example" })).toEqual({ requested: true })
    expect(await confirm("eve@old.example")).toBe("half")
    expect(await confirm("eve@taken.example")).toBe("taken")
    expect(await confirm("eve@taken.example")).toBe("invalid_link")
    expect(await emailOf(user)).toBe("eve@old.example")
  })

  it("ends with a newer one, when it is cancelled and when it expires", async () => {
    const user = await signUp("fay@old.example")
    await requestEmailChange(runtime(), user, { email: "fay@one.example" })
    const replaced = tokenOf("fay@one.example")
    await requestEmailChange(runtime(), user, { email: "fay@two.example" })
    expect(await confirmEmail(runtime(), replaced, null)).toBe("invalid_link")
    expect(await findEmailChange(runtime(), user)).toMatchObject({ email: "fay@two.example" })
    await cancelEmailChange(runtime(), user)
    expect(await confirm("fay@two.example")).toBe("invalid_link")
    await requestEmailChange(runtime(), user, { email: "fay@three.example" })
    await query("UPDATE email_change SET expires_at = now() - interval '1 s' WHERE new_email = 'fay@three.example'")
    expect(await confirm("fay@three.example")).toBe("invalid_link")
    expect(await findEmailChange(runtime(), user)).toBeNull()
    expect(await confirmEmail(runtime(), "0".repeat(64), null)).toBe("invalid_link")
    expect(await emailOf(user)).toBe("fay@old.example")
  })

  it("needs a recent sign-in and another address, and ends when a mail cannot be sent", async () => {
    const user = await signUp("gil@old.example")
    const ask = (actor: UserActor, email: string) => requestEmailChange(runtime(), actor, { email })
    await expect(ask({ ...user, confirmedAtMs: signedInAt(0) }, "gil@new.example")).rejects.toMatchObject({
      code: "confirmation_required",
    })
    await expect(ask(user, "gil@old.example")).rejects.toMatchObject({ param: "email" })
    mails.fails = true
    await expect(ask(user, "gil@new.example")).rejects.toMatchObject({ code: "upstream_error" })
    expect(await findEmailChange(runtime(), user)).toBeNull()
  })

  it("is requested at most 5 times a day by a user", async () => {
    const user = await signUp("hal@old.example")
    for (let n = 0; n < 5; n++) await requestEmailChange(runtime(), user, { email: `hal${n}@new.example` })
    await expect(requestEmailChange(runtime(), user, { email: "hal5@new.example" })).rejects.toMatchObject({
      code: "rate_limited",
    })
  })
})
