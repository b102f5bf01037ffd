import { expect, test } from "vitest"
import { describeAudit, listAudit } from "@/lib/server/audit/list-audit"
import { listServiceAudit } from "@/lib/server/audit/list-service-audit"
import { lookAtAccount } from "@/lib/server/audit/look-at-account"
import { verifyLedger } from "@/lib/server/ledger/verify-ledger"
import { sendQueuedMail } from "@/lib/server/mail/send-queued"
import { acceptInvitation } from "@/lib/server/members/accept-invitation"
import { changeRole } from "@/lib/server/members/change-members"
import { inviteMember } from "@/lib/server/members/invitations"
import { listMembers } from "@/lib/server/members/list-members"
import { OPERATOR, type OperatorActor, type UserActor } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { balanceOf, columnsWith, query, sessionOf, signUpWithEverything } from "@/test/closing-fixture"
import { testRuntime } from "@/test/database"
import { insertModel } from "@/test/insert-rows"
import { keepMails } from "@/test/keep-mails"
import { operatorJson } from "@/test/operator"
import { signUp } from "@/test/sign-up"
import { endPersonSessions, erasePerson, removePerson } from "./act-for-person"
import { exportPerson } from "./export-person"

await testRuntime({ WELCOME_CREDIT_USD: "2" })
await insertModel("m")
const mails = keepMails()
const { userId: operatorId } = await signUp("operator@support.example")
const operator: OperatorActor = { ...OPERATOR, userId: operatorId, clientAddress: "192.0.2.1" }
const note = "Letter 4711"

/** Adds a person with an account of their own to another account. Returns its owner. */
async function joined(person: UserActor, ownerEmail: string): Promise<UserActor> {
  const owner = await signUp(ownerEmail)
  const { id } = await inviteMember(runtime(), owner, { email: person.email, role: "developer" })
  await acceptInvitation(runtime(), person, { id })
  return owner
}

const sessionsOf = async ({ userId }: UserActor) =>
  (await query("SELECT FROM session WHERE user_id = $1", [userId])).rowCount

/** What operators read of the last act for a person: its text, its subject and by whom. */
async function lastAct() {
  const { lines } = await listServiceAudit(runtime(), OPERATOR, { show: "operator" })
  const line = lines.find(({ action }) => action.startsWith("person."))
  return line && [line.action, line.subject, line.by]
}

test("ending every session leaves none, and only operators read the reason", async () => {
  const person = await sessionOf(await signUp("ada@sessions.example"))
  await sessionOf(person)
  expect(await endPersonSessions(runtime(), operator, { email: person.email, note })).toEqual({ ended: 2 })
  expect(await sessionsOf(person)).toBe(0)
  const id = publicId("usr", person.userId)
  expect(await lastAct()).toEqual(["person.end_sessions", `${id} Letter 4711`, "operator@support.example"])
  const { lines } = await listAudit(runtime(), person)
  const ends = lines.filter(({ action }) => action === "session.end")
  expect(ends.map(({ by, clientAddress }) => [by, clientAddress])).toEqual([
    ["Operator", null],
    ["Operator", null],
  ])
  expect(JSON.stringify(lines)).not.toContain("4711")
})

test("a removed person is in no account with other members, keeps the own one, and gets one mail for each", async () => {
  const person = await sessionOf(await signUp("bob@removed.example"))
  const owners = [await joined(person, "owner@one.example"), await joined(person, "owner@two.example")]
  mails.sent = []
  expect(await removePerson(runtime(), operator, { email: person.email, note })).toEqual({ removed: 2 })
  for (const owner of owners) {
    expect((await listMembers(runtime(), owner)).map(({ email }) => email)).toEqual([owner.email])
    const [line] = (await listAudit(runtime(), owner)).lines.filter(({ action }) => action === "member.remove")
    expect(line && [describeAudit(line), line.by]).toEqual(["Removed bob@removed.example", "Operator"])
  }
  expect(await listMembers(runtime(), person)).toHaveLength(1)
  await sendQueuedMail(runtime())
  const mail = ["bob@removed.example", "You were removed from an account at localhost:3000"]
  const sent = mails.sent.filter(({ to }) => to === "bob@removed.example")
  expect(sent.map(({ to, subject }) => [to, subject])).toEqual([mail, mail])
  expect(sent[0]?.text).toContain("The operator of this service removed you")
})

test("nobody is removed from any account when one of them would be without an owner", async () => {
  const person = await signUp("cid@only.example")
  const owner = await joined(person, "owner@only.example")
  const guest = await signUp("guest@only.example")
  const { id } = await inviteMember(runtime(), person, { email: guest.email, role: "viewer" })
  await acceptInvitation(runtime(), guest, { id })
  await expect(removePerson(runtime(), operator, { email: person.email, note })).rejects.toThrow(
    "This person is the only owner of “cid@only.example”, which has other members.",
  )
  expect(await listMembers(runtime(), owner)).toHaveLength(2)
  await expect(erasePerson(runtime(), operator, { email: person.email, note })).rejects.toThrow("is the only owner of")
  await changeRole(runtime(), person, { id: publicId("usr", guest.userId), role: "owner" })
  expect(await removePerson(runtime(), operator, { email: person.email, note })).toEqual({ removed: 2 })
})

test("a deleted person is named nowhere, has no session, gets the last mail, and the ledger stays sound", async () => {
  const { owner: person } = await signUpWithEverything("dee@erased.example")
  const team = await joined(person, "owner@erased-team.example")
  mails.sent = []
  expect(await erasePerson(runtime(), operator, { email: person.email, note })).toEqual({ isMailed: true })
  await sendQueuedMail(runtime())
  const sent = mails.sent.filter(({ to }) => to === "dee@erased.example")
  expect(sent.map(({ subject }) => subject)).toEqual(["Your user was deleted at localhost:3000"])
  expect(await columnsWith("dee@erased.example")).toEqual([])
  expect(await sessionsOf(person)).toBe(0)
  expect(await balanceOf(person.accountId)).toMatchObject([{ status: "closed" }])
  expect((await listMembers(runtime(), team)).map(({ email }) => email)).toEqual([team.email])
  expect((await verifyLedger(runtime(), { all: true })).ok).toBe(true)
  expect(await lastAct()).toEqual([
    "person.erase",
    `${publicId("usr", person.userId)} ${note}`,
    "operator@support.example",
  ])
})

test("an operator's client address is exported and erased with the person, and what the operator did stays", async () => {
  const former = await signUp("gus@operators.example")
  const acting: OperatorActor = { ...operator, userId: former.userId, clientAddress: "198.51.100.77" }
  const owner = await signUp("owner@looked-at.example")
  const id = publicId("acc", owner.accountId)
  await lookAtAccount(runtime(), acting, { id, page: "/usage" })
  expect(await exportPerson(runtime(), operator, { email: former.email, note })).toMatchObject({
    didAsOperator: [{ action: "account.look", account: id, clientAddress: "198.51.100.77" }],
  })
  await erasePerson(runtime(), operator, { email: former.email, note })
  expect(await columnsWith("198.51.100.77")).toEqual([])
  const { lines } = await listServiceAudit(runtime(), OPERATOR, { accountId: owner.accountId, show: "operator" })
  expect(lines.map(({ action, detail, clientAddress }) => [action, detail, clientAddress])).toEqual([
    ["account.look", "/usage", null],
  ])
})

test("operators cannot remove or delete themselves", async () => {
  const input = { email: "operator@support.example", note }
  await expect(removePerson(runtime(), operator, input)).rejects.toThrow("This is your own user.")
  await expect(erasePerson(runtime(), operator, input)).rejects.toThrow("This is your own user.")
})

test("the export has what is stored about the person and no secret, and leaves an entry", async () => {
  const { owner: person } = await signUpWithEverything("eva@export.example")
  await joined(person, "owner@export-team.example")
  const text = JSON.stringify(await exportPerson(runtime(), operator, { email: person.email, note }))
  const found = JSON.parse(text)
  expect(found).toMatchObject({ email: "eva@export.example", requestedEmails: ["new-eva@export.example"] })
  expect(found.memberships.map(({ role }: { role: string }) => role)).toEqual(["owner", "developer"])
  expect(found.sessions[0]).toMatchObject({ browser: "Firefox on Linux", clientAddress: "203.0.113.77" })
  expect(found.did.map(({ action }: { action: string }) => action)).toEqual(
    expect.arrayContaining(["key.create", "member.join"]),
  )
  expect(text).not.toMatch(/svcd_|hash|secret"/)
  expect((await lastAct())?.[0]).toBe("person.export")
})

test("commands show a person and act for the person by the same verbs", async () => {
  const person = await sessionOf(await signUp("flo@command.example"))
  await joined(person, "owner@command.example")
  expect(await operatorJson("person", "show", "flo@command.example")).toMatchObject({
    email: "flo@command.example",
    sessions: 1,
    accounts: [
      { is_only_owner: true, other_members: 0 },
      { role: "developer", other_members: 1 },
    ],
  })
  expect(await operatorJson("person", "signout", person.email, "--note", note)).toEqual({ ended: 1 })
  expect(await operatorJson("person", "remove", person.email, "--note", note)).toEqual({ removed: 1 })
  expect(await operatorJson("person", "export", person.email, "--note", note)).toMatchObject({ email: person.email })
  expect(await operatorJson("person", "delete", person.email, "--note", note)).toEqual({
    deleted: true,
    is_mailed: true,
  })
})
