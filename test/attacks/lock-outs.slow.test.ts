import { beforeAll, beforeEach, describe, expect, it } from "vitest"
import { findEmailChange, requestEmailChange } from "@/lib/server/auth/change-email"
import { confirmEmail } from "@/lib/server/auth/confirm-email"
import { requestConfirmation } from "@/lib/server/auth/confirmation"
import { storeSignInToken } from "@/lib/server/auth/sign-in-tokens"
import { acceptInvitation } from "@/lib/server/members/accept-invitation"
import { inviteMember, resendInvitation, revokeInvitation } from "@/lib/server/members/invitations"
import { listInvitations } from "@/lib/server/members/list-members"
import type { UserActor } from "@/lib/server/platform/actor"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { query } from "../closing-fixture"
import { testRuntime } from "../database"
import { keepMails } from "../keep-mails"
import { signUp } from "../sign-up"

let mails: ReturnType<typeof keepMails>
beforeAll(async () => {
  await testRuntime()
  mails = keepMails()
})
beforeEach(async () => {
  mails.sent = []
  await query("TRUNCATE invitation_mail")
})

const others = (count: number) => Promise.all(Array.from({ length: count }, () => signUp()))
const mailsTo = (address: string) => mails.sent.filter(({ to }) => to === address)
const NETWORK = "198.51.100.7"
const TOO_MANY = { code: "rate_limited" }

/** Opens the newest link that was mailed to an address. */
function confirmAs(address: string) {
  const fragment = /#(\S+)/.exec(mailsTo(address).at(-1)?.text ?? "")?.[1]
  return confirmEmail(runtime(), new URLSearchParams(fragment).get("m") ?? "", null)
}

describe("a change of address", () => {
  const change = (user: UserActor, email: string) => requestEmailChange(runtime(), user, { email })

  it("is made by the owner of an address for which other users asked all day", async () => {
    const user = await signUp("ada@before.example")
    for (const other of await others(4)) for (let n = 0; n < 3; n++) await change(other, "ada@wanted.example")
    await change(user, "ada@wanted.example")
    expect([await confirmAs("ada@before.example"), await confirmAs("ada@wanted.example")]).toEqual(["half", "changed"])
  })

  it("to one address is mailed three times a day, and after that the pending one is kept", async () => {
    const user = await signUp("bob@before.example")
    for (let n = 0; n < 4; n++) await change(user, "bob@wanted.example")
    expect(mailsTo("bob@wanted.example")).toHaveLength(3)
    expect(await findEmailChange(runtime(), user)).toMatchObject({ email: "bob@wanted.example" })
    expect([await confirmAs("bob@before.example"), await confirmAs("bob@wanted.example")]).toEqual(["half", "changed"])
    const other = await signUp("eve@before.example")
    for (let n = 0; n < 3; n++) await change(other, "eve@wanted.example")
    await query("UPDATE email_change SET expires_at = now() WHERE new_email = 'eve@wanted.example'")
    await expect(change(other, "eve@wanted.example")).rejects.toMatchObject(TOO_MANY)
  })

  it("is the first of its user when others have used up what the service sends in a day", async () => {
    const { userId } = await signUp()
    await query(
      `INSERT INTO email_change (id, user_id, new_email, old_token_hash, new_token_hash, expires_at, ended_at)
       SELECT gen_random_uuid(), $1, n || '@many.example', 'old' || n, 'new' || n, now(), now() FROM generate_series(1, 2000) AS n`,
      [userId],
    )
    const user = await signUp()
    expect(await change(user, "cas@wanted.example")).toEqual({ requested: true })
    await expect(change(user, "cas@other.example")).rejects.toMatchObject(TOO_MANY)
    await query("DELETE FROM email_change WHERE user_id = $1", [userId])
  })
})

describe("an invitation", () => {
  const invite = (owner: UserActor, email: string, role: "viewer" | "developer" = "viewer") =>
    inviteMember(runtime(), owner, { email, role })

  it("reaches an address that other accounts invited all hour", async () => {
    const [owner, guest] = [await signUp(), await signUp("guest@invited.example")]
    for (const other of await others(4)) for (let n = 0; n < 3; n++) await invite(other, guest.email)
    mails.sent = []
    const { id } = await invite(owner, guest.email)
    expect(mailsTo(guest.email)).toHaveLength(1)
    await acceptInvitation(runtime(), guest, { id })
  })

  it("is mailed three times an hour, and after that the open one is changed and kept", async () => {
    const [owner, guest] = [await signUp(), await signUp("kept@invited.example")]
    for (let n = 0; n < 3; n++) await invite(owner, guest.email)
    const { id } = await invite(owner, guest.email, "developer")
    expect(await resendInvitation(runtime(), owner, { id })).toEqual({ id })
    expect(mailsTo(guest.email)).toHaveLength(3)
    expect(await listInvitations(runtime(), owner)).toMatchObject([{ id, email: guest.email, role: "developer" }])
    expect(mailsTo(guest.email).at(0)?.text).toContain(id)
    await revokeInvitation(runtime(), owner, { id })
    await expect(invite(owner, guest.email)).rejects.toMatchObject(TOO_MANY)
  })

  it("counts for its account, whatever others of the same network send", async () => {
    const from = (user: UserActor) => ({ ...user, clientAddress: NETWORK })
    for (const other of await others(3))
      for (let n = 0; n < 20; n++) await invite(from(other), `${n}@of-${other.userId}.example`)
    const owner = from(await signUp())
    for (let n = 0; n < 20; n++) await invite(owner, `${n}@team.example`)
    expect(mails.sent.filter(({ to }) => to.endsWith("@team.example"))).toHaveLength(20)
    await expect(invite(owner, "20@team.example")).rejects.toMatchObject(TOO_MANY)
  })

  it("is sent although others have used up what the service sends in an hour, until the account has sent three", async () => {
    const [owner, other] = [await signUp(), await signUp()]
    await query(
      "INSERT INTO invitation_mail (account_id, email) SELECT $1, n || '@many.example' FROM generate_series(1, 500) AS n",
      [other.accountId],
    )
    for (const n of [1, 2, 3]) await invite(owner, `${n}@team.example`)
    await expect(invite(owner, "4@team.example")).rejects.toMatchObject(TOO_MANY)
  })
})

describe("a mailed link", () => {
  /** Stores the most links that other users may request in an hour with browsers and sessions of their own. */
  const useUp = () =>
    query(
      `INSERT INTO sign_in_token (token_hash, email, client_address, expires_at, known_browser, session_id, scope)
       SELECT gen_random_uuid(), n || '@many.example', NULL, '-infinity', true, session, CASE WHEN session IS NULL THEN NULL ELSE 'access' END
       FROM generate_series(1, 1000) AS n, (VALUES (NULL::uuid), (gen_random_uuid())) AS kind(session)`,
    )
  const link = (email: string, isKnownBrowser: boolean) =>
    storeSignInToken(runtime(), {
      tokenHash: newId(),
      email,
      clientAddress: "198.51.100.7",
      isKnownBrowser,
      expiresAt: new Date(Date.now() + 600_000),
    })
  const pass = () => query("UPDATE sign_in_token SET created_at = created_at - interval '2 minutes'")

  it("is sent to an owner in a new browser, in a known one and for a session, whatever others requested", async () => {
    const owner = await signUp("owner@besieged.example")
    const confirmation = () => requestConfirmation(runtime(), owner, { verb: "createKey", returnTo: "/keys" })
    await useUp()
    expect(await link(owner.email, false)).toBeNull()
    for (let n = 0; n < 3; n++) {
      await pass()
      expect(await link(owner.email, true)).toBeNull()
      expect(await confirmation()).toMatchObject({ sent: true })
    }
    await pass()
    expect(await link(owner.email, true)).toMatchObject({ recent: false })
    expect(await confirmation()).toMatchObject({ sent: false })
    expect(await link(owner.email, false)).toBeNull()
  })
})
