import { expect, it } from "vitest"
import { listQueuedMail } from "@/lib/server/mail/mail-queue"
import { sendQueuedMail } from "@/lib/server/mail/send-queued"
import { OPERATOR, type UserActor } from "@/lib/server/platform/actor"
import { newId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import type { Role } from "@/lib/shared/accounts/roles"
import { testRuntime } from "@/test/database"
import { handOver } from "@/test/hand-over"
import { keepMails } from "@/test/keep-mails"
import { joinAccount, signUp } from "@/test/sign-up"
import { changeRole, leaveAccount, removeMember } from "./change-members"

await testRuntime()
const kept = keepMails()

const query = (text: string, values: unknown[] = []) => runtime().pool.query(text, values)

const member = async (owner: UserActor, email: string, role: Role): Promise<UserActor> =>
  joinAccount(owner, role, await signUp(email))

/** Saves a card of the owner, with automatic top-up on. */
async function saveCard({ accountId, userId }: UserActor): Promise<void> {
  await query(
    `INSERT INTO saved_card (payment_method_id, account_id, brand, last4, exp_month, exp_year, entered_at, user_id)
     VALUES ($1, $2, 'visa', '4242', 12, 2030, now(), $3)`,
    [newId(), accountId, userId],
  )
  await query(
    `INSERT INTO auto_topup (account_id, state, threshold_cents, amount_cents, cap_cents) VALUES ($1, 'on', 500, 2500, 10000)`,
    [accountId],
  )
}

/** Sends what is queued. Returns the subject and the first paragraph of each mail, by the address that gets it. */
async function mails(): Promise<Record<string, string[]>> {
  kept.sent = []
  await sendQueuedMail(runtime())
  const found: Record<string, string[]> = {}
  for (const { to, subject, text } of kept.sent)
    found[to] = [...(found[to] ?? []), subject, text.split("\n", 1)[0] ?? ""]
  return found
}

it("a transfer is one mail to each reader, which says who did it, in which account, and that the card was removed", async () => {
  const bob = await signUp("bob@transfer.example")
  const cyd = await member(bob, "cyd@transfer.example", "developer")
  await member(bob, "ann@transfer.example", "billing")
  await member(bob, "zoe@transfer.example", "owner")
  await member(bob, "vic@transfer.example", "viewer")
  await query("UPDATE account SET name = 'Acme' WHERE id = $1", [bob.accountId])
  await saveCard(bob)
  await mails()
  await handOver(bob, cyd)
  expect(await mails()).toEqual({
    "bob@transfer.example": [
      "You are now a developer in “Acme” · localhost:3000",
      "You transferred the ownership of “Acme” to cyd@transfer.example, so you are now a developer there. The card that you saved for the account was removed, so automatic top-up has ended. If it was not you, ask cyd@transfer.example to change it back:",
    ],
    "cyd@transfer.example": [
      "You are now an owner of “Acme” · localhost:3000",
      "bob@transfer.example transferred the ownership of “Acme” to you, and is now a developer there. The card that bob@transfer.example saved for the account was removed, so automatic top-up has ended. You can change the role of every member:",
    ],
    "zoe@transfer.example": [
      "The ownership of “Acme” was transferred · localhost:3000",
      "bob@transfer.example transferred the ownership of “Acme” to cyd@transfer.example, and is now a developer there. The card that bob@transfer.example saved for the account was removed, so automatic top-up has ended. If this was not intended, change their roles back:",
    ],
    "ann@transfer.example": [
      "Automatic top-up has ended · localhost:3000",
      "The person who saved the card is no longer an owner of the account, so the card was removed, and no more credit is added automatically. An owner can save another card and turn it on again:",
    ],
  })
})

it("a changed role is mailed to its member and to the owners, in a text for each", async () => {
  const lea = await signUp("lea@transfer.example")
  const max = await member(lea, "max@transfer.example", "owner")
  await query("UPDATE account SET name = 'Acme' WHERE id = $1", [lea.accountId])
  await mails()
  await changeRole(runtime(), lea, { id: publicId("usr", max.userId), role: "viewer" })
  expect(await mails()).toEqual({
    "lea@transfer.example": [
      "A member is now a viewer in “Acme” · localhost:3000",
      "You changed the role of max@transfer.example in “Acme”: they are now a viewer. If this was not intended, change it back:",
    ],
    "max@transfer.example": [
      "You are now a viewer in “Acme” · localhost:3000",
      "lea@transfer.example changed your role in “Acme”: you are now a viewer. If this was not intended, ask an owner to change it back:",
    ],
  })
})

it("a member who is removed reads that the card that they saved is gone", async () => {
  const ida = await signUp("ida@transfer.example")
  const jon = await member(ida, "jon@transfer.example", "owner")
  await query("UPDATE account SET name = 'Acme' WHERE id = $1", [ida.accountId])
  await saveCard(jon)
  await mails()
  await removeMember(runtime(), ida, { id: publicId("usr", jon.userId) })
  expect((await mails())["jon@transfer.example"]).toEqual([
    "You were removed from an account at localhost:3000",
    "ida@transfer.example removed you from the account “Acme”. You can no longer open it. What you created there, such as API keys, keeps working until an owner ends it. The card that you saved for the account was removed, so automatic top-up has ended. You keep your sign-in and your other accounts:",
  ])
})

it("a removed member gets one mail, one who leaves gets none, and the operator's area shows it while it waits", async () => {
  const owner = await signUp("removing-owner@example.com")
  const removed = await member(owner, "removed@leaving.example", "developer")
  const leaving = await member(owner, "leaving@leaving.example", "viewer")
  await removeMember(runtime(), owner, { id: publicId("usr", removed.userId) })
  await leaveAccount(runtime(), leaving)
  const waiting = (await listQueuedMail(runtime(), OPERATOR)).filter(({ label }) => label === "A member was removed")
  expect(waiting).toMatchObject([{ to: removed.email, state: "waiting", accountId: publicId("acc", owner.accountId) }])
  kept.sent = []
  await sendQueuedMail(runtime())
  await sendQueuedMail(runtime())
  const left = kept.sent.filter(({ to }) => to.endsWith("@leaving.example"))
  expect(left.map(({ to, subject }) => [to, subject])).toEqual([
    [removed.email, "You were removed from an account at localhost:3000"],
  ])
  expect(left[0]?.text).toContain(
    "removing-owner@example.com removed you from the account “removing-owner@example.com”.",
  )
})
