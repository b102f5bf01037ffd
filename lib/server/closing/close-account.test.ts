import { beforeAll, describe, expect, it } from "vitest"
import { getAccountOverview, operatorForAccount } from "@/lib/server/accounts/get-account"
import { verifyAccountToken } from "@/lib/server/accounts/verify-account-token"
import { listServiceAudit } from "@/lib/server/audit/list-service-audit"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { actorOfCookies } from "@/lib/server/auth/actor-of-cookies"
import { queueEvent } from "@/lib/server/events/queue-event"
import { verifyLedger } from "@/lib/server/ledger/verify-ledger"
import { sendQueuedMail } from "@/lib/server/mail/send-queued"
import { acceptInvitation } from "@/lib/server/members/accept-invitation"
import { inviteMember } from "@/lib/server/members/invitations"
import { OPERATOR, type UserActor } from "@/lib/server/platform/actor"
import { newId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { balanceOf, columnsWith, query, sessionOf, signUpWithEverything } from "@/test/closing-fixture"
import { insertModel } from "@/test/insert-rows"
import { keepMails } from "@/test/keep-mails"
import { type TestService, testService } from "@/test/service"
import { signedInAt, signUp } from "@/test/sign-up"
import { stopClock } from "@/test/stop-clock"
import { meanwhile } from "@/test/waits-for-lock"
import { closeAccount } from "./close-account"

const USD = 1_000_000_000_000n
const BODY = {
  model: "svc-decider-latest",
  state: "Late.",
  questions: { late: { type: "noul", instructions: "Late?" } },
}

let service: TestService
let mails: ReturnType<typeof keepMails>
beforeAll(async () => {
  service = await testService({ WELCOME_CREDIT_USD: "2" })
  await insertModel("m")
  mails = keepMails()
})

describe("closing an account", () => {
  it("ends keys within 2 s and tokens at once, erases what people wrote, and keeps the ledger and its credit", async () => {
    const { owner, token, accountToken, name } = await signUpWithEverything("ada@closing.example")
    const bob = await signUp("bob@closing.example")
    const { id } = await inviteMember(runtime(), owner, { email: bob.email, role: "developer" })
    await acceptInvitation(runtime(), await sessionOf(bob), { id })
    expect((await service.decide(token, BODY)).status).toBe(200)
    expect(await columnsWith("ada team")).toEqual(["account.name"])
    const before = await balanceOf(owner.accountId)
    mails.sent = []
    mails.fails = true
    await closeAccount(runtime(), owner, { name })
    await sendQueuedMail(runtime())
    expect(await columnsWith("ada team")).toEqual(["queued_mail.facts"])
    mails.fails = false
    await query("UPDATE queued_mail SET next_at = now()")
    await Promise.all([sendQueuedMail(runtime()), sendQueuedMail(runtime())])
    // Two processes send in any order.
    const sent = mails.sent.toSorted((a, b) => a.to.localeCompare(b.to))
    expect(sent.map(({ to, subject }) => [to, subject])).toEqual([
      ["ada@closing.example", "An account was closed at localhost:3000"],
      ["bob@closing.example", "An account was closed at localhost:3000"],
    ])
    expect(sent[0]?.text).toContain("ada@closing.example closed the account “ada team”, which you were a member of.")
    expect(await balanceOf(owner.accountId)).toEqual([{ ...before[0], status: "closed" }])
    stopClock()(2_000)
    expect((await service.decide(token, BODY)).status).toBe(401)
    await expect(verifyAccountToken(runtime(), `Bearer ${accountToken}`, "")).rejects.toMatchObject({
      code: "invalid_api_key",
    })
    // The users stay, until they delete themselves.
    expect(await columnsWith("ada@closing.example")).toEqual([
      "app_user.email",
      "email_change.new_email",
      "sign_in_token.email",
    ])
    expect(await columnsWith("ada team")).toEqual([])
    expect(await columnsWith("bob@closing.example")).toEqual(["app_user.email"])
    expect((await verifyLedger(runtime(), { all: true })).ok).toBe(true)
  })

  it("erases the addresses from which programs changed the account", async () => {
    const { owner, name } = await signUpWithEverything("kit@closing.example")
    const { accountId, userId } = owner
    const clientAddress = "203.0.113.99"
    const program = { type: "token", accountId, tokenId: newId(), userId, rights: [], clientAddress } as const
    await recordAudit(runtime().pool, program, { action: "key.create" })
    expect(await columnsWith(clientAddress)).not.toEqual([])
    await closeAccount(runtime(), owner, { name })
    expect(await columnsWith(clientAddress)).toEqual([])
  })

  it("waits for a webhook message that is queued at the same time", async () => {
    const { owner, name } = await signUpWithEverything("uma@closing.example")
    const data = { account_id: publicId("acc", owner.accountId), balance_usd: "1", threshold_usd: "1" }
    const event = { accountId: owner.accountId, type: "balance.low", source: "at the same time", data } as const
    await meanwhile(
      () => closeAccount(runtime(), owner, { name }),
      (client) => queueEvent(client, event),
    )
    expect((await query("SELECT FROM webhook_endpoint WHERE account_id = $1", [owner.accountId])).rowCount).toBe(0)
  })

  it("waits for a program that changes a key at the same time", async () => {
    const { owner, name } = await signUpWithEverything("lee@closing.example")
    const { accountId } = owner
    // The locks of a change by a token, in their order.
    await meanwhile(
      () => closeAccount(runtime(), owner, { name }),
      (client) => client.query("SELECT FROM api_key WHERE account_id = $1 FOR NO KEY UPDATE", [accountId]),
      (client) => client.query("SELECT FROM account_token WHERE account_id = $1 FOR SHARE", [accountId]),
    )
    expect(await balanceOf(accountId)).toMatchObject([{ status: "closed" }])
  })

  it("leaves the operator its status, balance, keys and who closed it", async () => {
    const { owner, name } = await signUpWithEverything("eve@closing.example")
    await closeAccount(runtime(), owner, { name })
    const account = await getAccountOverview(
      runtime(),
      await operatorForAccount(runtime(), OPERATOR, publicId("acc", owner.accountId)),
    )
    expect(account).toMatchObject({ email: "", status: "closed", balancePico: 7n * USD - 5n })
    expect(account.keys.map((key) => [key.name, key.status])).toEqual([
      ["Key", "revoked"],
      ["Playground", "revoked"],
    ])
    const { lines } = await listServiceAudit(runtime(), OPERATOR, { accountId: owner.accountId, show: "accounts" })
    expect(lines[0]).toMatchObject({ action: "account.close", by: "eve@closing.example", clientAddress: null })
  })

  it("needs the account's name, an owner, a recent sign-in and no open top-up", async () => {
    const owner = await sessionOf(await signUp())
    const close = (actor: UserActor, name = owner.email) => closeAccount(runtime(), actor, { name })
    await expect(close(owner, "Other")).rejects.toMatchObject({ param: "name" })
    await expect(close({ ...owner, role: "developer" })).rejects.toMatchObject({ code: "forbidden" })
    await expect(close({ ...owner, confirmedAtMs: signedInAt(0) })).rejects.toMatchObject({
      code: "confirmation_required",
    })
    await query("INSERT INTO topup (id, account_id, user_id, amount_cents, status) VALUES ($1, $2, $3, 500, 'open')", [
      newId(),
      owner.accountId,
      owner.userId,
    ])
    await expect(close(owner)).rejects.toMatchObject({
      message: "A top-up of this account is still open. Finish or cancel it under Billing, then close the account.",
    })
    expect(await balanceOf(owner.accountId)).toMatchObject([{ status: "active" }])
    expect((await actorOfCookies(runtime(), undefined, null)) ?? (await sessionOf(owner))).toMatchObject({
      role: "owner",
    })
  })
})
