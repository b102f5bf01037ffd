import { beforeEach, describe, expect, test } from "vitest"
import { describeAudit, listAudit } from "@/lib/server/audit/list-audit"
import { setAccountStatus } from "@/lib/server/auth/account-status"
import { changeRole, leaveAccount } from "@/lib/server/members/change-members"
import { listMembers } from "@/lib/server/members/list-members"
import { operatorFor, type UserActor } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { automatic, chargesOf, enterCard, TERMS } from "@/test/auto-topup-fixture"
import { handOver } from "@/test/hand-over"
import { joinAccount, signedInAt } from "@/test/sign-up"
import { buy, newOwner, poll, testTopups } from "@/test/topup-fixture"
import { getAutoTopup, turnOffAutoTopup, turnOnAutoTopup } from "./auto-topup"
import { startCardSession } from "./save-card-session"
import { detachRemovedCards, endAutoTopup, removeCard } from "./saved-card"
import { watchAutoTopups } from "./watch-auto-topups"

const { double } = await testTopups()
beforeEach(() => double.setDelivery("now"))

/** Returns who is mailed that automatic top-up has ended, and why. */
async function endMails({ accountId }: UserActor) {
  const { rows } = await runtime().pool.query<{ email: string; reason: string }>(
    `SELECT u.email, q.facts->>'reason' AS reason FROM queued_mail q JOIN app_user u ON u.id = q.user_id
     WHERE q.account_id = $1 AND q.kind = 'auto_topup_ended' ORDER BY u.email`,
    [accountId],
  )
  return rows
}

describe("the saved card", () => {
  test("is removed here and at Stripe, and a repeated event does not restore it", async () => {
    const actor = await automatic(double)
    double.setDelivery("held")
    const id = await enterCard(double, actor)
    await removeCard(runtime(), actor)
    await double.flush()
    await double.flush()
    await detachRemovedCards(runtime())
    expect(await getAutoTopup(runtime(), actor)).toMatchObject({ state: "off", card: null })
    expect(double.world.store.get("payment_method", id).customer).toBeNull()
    await watchAutoTopups(runtime())
    expect(await chargesOf(double, actor)).toEqual([])
    await expect(turnOnAutoTopup(runtime(), actor, TERMS)).rejects.toMatchObject({ message: "Save a card first." })
  })

  test("that was detached at Stripe turns automatic top-up off, with a mail", async () => {
    const actor = await automatic(double, { usd: "20" })
    const [card] = double.world.store.all("payment_method").slice(-1)
    await runtime().payments?.stripe.paymentMethods.detach(card?.id ?? "")
    await double.idle()
    expect(await getAutoTopup(runtime(), actor)).toMatchObject({ state: "off", card: null })
    expect(await endMails(actor)).toEqual([{ email: actor.email, reason: "detached" }])
  })

  test("is saved although Stripe does not have the account's customer any more", async () => {
    const actor = await newOwner()
    await runtime().pool.query("UPDATE account SET stripe_customer_id = 'cus_of_the_other_mode' WHERE id = $1", [
      actor.accountId,
    ])
    const { checkoutUrl } = await startCardSession(runtime(), actor)
    double.saveCard(checkoutUrl.split("/").at(-1) ?? "")
    await double.idle()
    expect((await getAutoTopup(runtime(), actor)).card).toMatchObject({ last4: "4242" })
  })

  test("is saved from Stripe's list of events when no webhook arrives", async () => {
    const actor = await newOwner()
    double.setDelivery("dropped")
    const { checkoutUrl } = await startCardSession(runtime(), actor)
    double.saveCard(checkoutUrl.split("/").at(-1) ?? "")
    expect((await getAutoTopup(runtime(), actor)).card).toBeNull()
    await poll()
    expect((await getAutoTopup(runtime(), actor)).card).toMatchObject({ last4: "4242" })
  })

  test("is removed when its owner leaves or the account closes, but not when another owner leaves", async () => {
    const actor = await automatic(double, { usd: "20" })
    const end = (userId: string | null) =>
      inTransaction(runtime().pool, (client) => endAutoTopup(client, actor, userId))
    await end(newId())
    expect((await getAutoTopup(runtime(), actor)).state).toBe("on")
    await end(actor.userId)
    expect(await getAutoTopup(runtime(), actor)).toMatchObject({ state: "off", card: null })
    await enterCard(double, actor)
    await turnOnAutoTopup(runtime(), actor, TERMS)
    await setAccountStatus(runtime(), operatorFor(actor.accountId), "closed")
    expect(await getAutoTopup(runtime(), actor)).toMatchObject({ state: "off", card: null })
    await detachRemovedCards(runtime())
    const { rows } = await runtime().pool.query("SELECT DISTINCT last4 FROM saved_card WHERE account_id = $1", [
      actor.accountId,
    ])
    expect(rows).toEqual([{ last4: "" }])
  })

  test("that leaves with its owner is mailed to the owners and billing members who stay, once", async () => {
    const actor = await automatic(double, { usd: "20" })
    const [other, payer] = [await joinAccount(actor, "owner"), await joinAccount(actor, "billing")]
    await joinAccount(actor, "viewer")
    await leaveAccount(runtime(), actor)
    expect(await getAutoTopup(runtime(), other)).toMatchObject({ state: "off", card: null })
    expect(await endMails(actor)).toEqual(
      [other, payer]
        .map(({ email }) => ({ email, reason: "owner_left" }))
        .toSorted((a, b) => a.email.localeCompare(b.email)),
    )
  })

  test("leaves with a transfer or another role too, with a mail, and owners see whose card it is before", async () => {
    const actor = await automatic(double, { usd: "20" })
    const heir = { ...(await joinAccount(actor, "viewer")), role: "owner" as const }
    const payer = await joinAccount(actor, "billing")
    const cards = async (reader: UserActor) =>
      new Map((await listMembers(runtime(), reader)).map(({ email, card }) => [email, card]))
    expect(await cards(actor)).toEqual(
      new Map([
        [actor.email, "charged"],
        [heir.email, "none"],
        [payer.email, "none"],
      ]),
    )
    expect(await cards({ ...heir, role: "viewer" })).toEqual(
      new Map([
        [actor.email, "none"],
        [heir.email, "none"],
        [payer.email, "none"],
      ]),
    )
    await handOver(actor, heir)
    expect(await getAutoTopup(runtime(), heir)).toMatchObject({ state: "off", card: null })
    // The new owner reads about the card in the mail about the transfer.
    expect(await endMails(actor)).toEqual([{ email: payer.email, reason: "owner_left" }])

    await enterCard(double, heir)
    expect(await cards(heir)).toEqual(
      new Map([
        [heir.email, "saved"],
        [actor.email, "none"],
        [payer.email, "none"],
      ]),
    )
    await turnOnAutoTopup(runtime(), heir, TERMS)
    await changeRole(runtime(), heir, { id: publicId("usr", actor.userId), role: "owner" })
    await changeRole(runtime(), actor, { id: publicId("usr", heir.userId), role: "billing" })
    expect(await getAutoTopup(runtime(), actor)).toMatchObject({ state: "off", card: null })
    expect((await endMails(actor)).map(({ email }) => email).toSorted()).toEqual([payer.email, payer.email].toSorted())
    const lines = (await listAudit(runtime(), heir, { topic: "billing" })).lines.filter(({ action }) =>
      action.startsWith("card."),
    )
    expect(lines.map((line) => `${line.by}: ${describeAudit(line)}`)).toEqual([
      `${actor.email}: Removed the saved card`,
      `${heir.email}: Saved a card`,
      `${actor.email}: Removed the saved card`,
      `${actor.email}: Saved a card`,
    ])
  })

  test("needs a recent sign-in, and an owner to be saved with a payment; turning off needs neither", async () => {
    const actor = await automatic(double, { usd: "20" })
    const old = { ...actor, confirmedAtMs: signedInAt(Date.now() - 90_000_000) }
    await expect(turnOnAutoTopup(runtime(), old, TERMS)).rejects.toMatchObject({ code: "confirmation_required" })
    await expect(removeCard(runtime(), old)).rejects.toMatchObject({ code: "confirmation_required" })
    await expect(buy({ ...actor, role: "billing" }, "25", undefined, true)).rejects.toMatchObject({ code: "forbidden" })
    await turnOffAutoTopup(runtime(), old)
    expect((await getAutoTopup(runtime(), actor)).state).toBe("off")
  })
})
