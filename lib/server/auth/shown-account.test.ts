import { expect, it, vi } from "vitest"
import { acceptInvitation } from "@/lib/server/members/accept-invitation"
import { inviteMember } from "@/lib/server/members/invitations"
import type { UserActor } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { insertModel, insertSessionOf } from "@/test/insert-rows"
import { keepMails } from "@/test/keep-mails"
import { nextRequest } from "@/test/next-request"
import { testService } from "@/test/service"
import { signUp } from "@/test/sign-up"
import { actorOfCookies } from "./actor-of-cookies"
import { downloadPath } from "./return-path"
import { requireDownload, requireSession } from "./session"
import { switchAccount } from "./switch-account"

vi.mock("next/headers", async (original) => (await import("@/test/next-request")).mockHeaders(original))

const BODY = {
  model: "svc-decider-latest",
  state: "Late.",
  questions: { late: { type: "noul", instructions: "Late?" } },
}

const service = await testService({ WELCOME_CREDIT_USD: "2" }, { serve: "all" })
await insertModel("m")
keepMails()

/** Returns the cookie of a user of two accounts whose session shows the second one. */
async function inTwoAccounts() {
  const [owner, user] = [await signUp(), await signUp()]
  const cookie = await insertSessionOf(user.userId)
  const shown = async () => (await actorOfCookies(runtime(), cookie, null)) as UserActor
  const { id } = await inviteMember(runtime(), owner, { email: user.email, role: "developer" })
  await acceptInvitation(runtime(), await shown(), { id })
  return { cookie, shown, first: user.accountId, second: owner.accountId }
}

const post = async (path: string, cookie: string, account: string | null) => {
  const response = await fetch(`${service.url}${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      cookie,
      origin: service.runtime.env.CONSOLE_URL,
      ...(account ? { "x-svc-account": account } : {}),
    },
    body: JSON.stringify(BODY),
  })
  const body = await response.json()
  return [response.status, body.error?.code ?? "ok"]
}

const chargedTo = async (accountId: string) =>
  (await runtime().pool.query("SELECT FROM ledger_entry WHERE account_id = $1 AND kind = 'charge'", [accountId]))
    .rowCount

it("a tab that was left open runs and charges nothing in the account that another tab switched to", async () => {
  const { cookie, shown, first, second } = await inTwoAccounts()
  expect(await post("/playground/decisions", cookie, second)).toEqual([200, "ok"])
  await switchAccount(runtime(), await shown(), { id: publicId("acc", first) })
  expect(await post("/playground/decisions", cookie, second)).toEqual([409, "account_switched"])
  expect(await post("/playground/tokens", cookie, second)).toEqual([409, "account_switched"])
  expect([await chargedTo(first), await chargedTo(second)]).toEqual([0, 1])
  expect(await post("/playground/decisions", cookie, first)).toEqual([200, "ok"])
  expect([await chargedTo(first), await chargedTo(second)]).toEqual([1, 1])
})

it("a page that such a tab opens offers both accounts instead", async () => {
  const { cookie, first, second } = await inTwoAccounts()
  nextRequest.headers = new Headers({ cookie, "x-svc-account": first })
  await expect(requireSession("/keys")).rejects.toMatchObject({
    digest: expect.stringContaining(`;/open/${publicId("acc", first)}?next=%2Fkeys;`),
  })
  nextRequest.headers = new Headers({ cookie, "x-svc-account": second })
  expect(await requireSession("/keys")).toMatchObject({ accountId: second })
  nextRequest.headers = new Headers({ cookie })
  expect(await requireSession("/keys")).toMatchObject({ accountId: second })
})

it("a download of such a tab offers both accounts instead of the other account's data", async () => {
  const { cookie, first, second } = await inTwoAccounts()
  nextRequest.headers = new Headers({ cookie })
  const download = (path: string) => requireDownload(new Request(`https://console.example${path}`), "/billing")
  await expect(download(downloadPath(first, "/billing/ledger.csv?month=2026-11"))).rejects.toMatchObject({
    digest: expect.stringContaining(`;/open/${publicId("acc", first)}?next=%2Fbilling;`),
  })
  expect(await download(downloadPath(second, "/settings/export.zip"))).toMatchObject({ accountId: second })
  expect(await download("/billing/ledger.csv")).toMatchObject({ accountId: second })
})
