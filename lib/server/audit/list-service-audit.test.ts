import { expect, test } from "vitest"
import { setAccountStatus } from "@/lib/server/auth/account-status"
import { adjustBalance } from "@/lib/server/ledger/adjust-balance"
import { OPERATOR, type OperatorActor, operatorFor } from "@/lib/server/platform/actor"
import { newId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { signUp } from "@/test/sign-up"
import { listAudit } from "./list-audit"
import { listServiceAudit } from "./list-service-audit"
import { recordAudit } from "./record-audit"

await testRuntime()
const grace = await signUp("grace@example.com")
const ada = await signUp("ada@example.com", "192.0.2.1")
const operator: OperatorActor = { ...OPERATOR, userId: grace.userId, clientAddress: "192.0.2.9" }
const credit = { kind: "credit", amountPico: pico(25n * 10n ** 12n), note: "For the outage" } as const

test("the log names the operator, the amount and the account, and the account learns neither name nor address", async () => {
  await adjustBalance(runtime(), operatorFor(ada.accountId, operator), credit)
  await adjustBalance(runtime(), operatorFor(ada.accountId), { ...credit, kind: "debit" })
  const account = { id: publicId("acc", ada.accountId), email: "ada@example.com" }
  const { lines } = await listServiceAudit(runtime(), OPERATOR, { accountId: ada.accountId })
  expect(lines).toMatchObject([
    { action: "account.debit", detail: "$25.00", subject: null, by: "Command line", isByOperator: true, account },
    {
      action: "account.credit",
      detail: "$25.00",
      by: "grace@example.com",
      isByOperator: true,
      clientAddress: "192.0.2.9",
    },
    { action: "account.create", by: "ada@example.com", isByOperator: false, clientAddress: "192.0.2.1" },
  ])
  const own = await listAudit(runtime(), ada)
  expect(own.lines[1]).toMatchObject({ action: "account.credit", by: "Operator", clientAddress: null })
  expect(JSON.stringify(own)).not.toMatch(/grace|192\.0\.2\.9/)
})

test("pages follow each other, and filters choose rows", async () => {
  const first = await listServiceAudit(runtime(), OPERATOR, { limit: 2, show: "accounts" })
  const second = await listServiceAudit(runtime(), OPERATOR, { limit: 2, show: "accounts", after: first.next })
  expect([...first.lines, ...second.lines].map(({ action }) => action)).toEqual([
    "account.debit",
    "account.credit",
    "account.create",
    "account.create",
  ])
  expect(second.next).toBeNull()
  const byOperators = await listServiceAudit(runtime(), OPERATOR, { show: "operator" })
  expect(byOperators.lines.map(({ action }) => action)).toEqual(["account.debit", "account.credit"])
  expect((await listServiceAudit(runtime(), OPERATOR, { show: "models" })).lines).toEqual([])
})

test("the operator's filter of keys shows keys, tokens and webhooks", async () => {
  const bob = await signUp()
  for (const action of ["key.create", "token.create", "webhook.create", "card.save"] as const)
    await recordAudit(runtime().pool, bob, { action })
  const { lines } = await listServiceAudit(runtime(), OPERATOR, { accountId: bob.accountId, show: "keys" })
  expect(lines.map(({ action }) => action)).toEqual(["webhook.create", "token.create", "key.create"])
})

test("a form that is submitted twice leaves one audit row", async () => {
  const bob = await signUp()
  const attempt = newId()
  for (let i = 0; i < 2; i++)
    await adjustBalance(runtime(), operatorFor(bob.accountId, operator), { ...credit, attempt })
  const { lines } = await listServiceAudit(runtime(), OPERATOR, { accountId: bob.accountId, show: "billing" })
  expect(lines.map(({ action }) => action)).toEqual(["account.credit"])
})

test("operators cannot lock themselves out", async () => {
  const own = operatorFor(grace.accountId, operator)
  for (const status of ["suspended", "closed"] as const)
    await expect(setAccountStatus(runtime(), own, status)).rejects.toThrow("You are a member of this account.")
  await setAccountStatus(runtime(), operatorFor(grace.accountId), "suspended")
  await setAccountStatus(runtime(), own, "active")
})
