import { expect, test } from "vitest"
import { eraseAccount } from "@/lib/server/closing/erase"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { buy, buyAndPay, newOwner, testTopups } from "@/test/topup-fixture"
import { getBillingDetails, saveBillingDetails } from "./billing-details"
import { getStatement } from "./get-statement"

const { double } = await testTopups()

const ACME = {
  company: "Acme GmbH",
  address: "Example Road 1\n12345 Berlin",
  vatId: "DE123456789",
  purchaseOrder: "PO-4711",
}

const invoices = () => double.world.store.all("invoice")

test("an account has no billing details until somebody sets them, and only its own", async () => {
  const [actor, other] = [await newOwner(), await newOwner()]
  await saveBillingDetails(runtime(), actor, { ...ACME, purchaseOrder: "PO-1" })
  await saveBillingDetails(runtime(), actor, ACME)
  expect(await getBillingDetails(runtime(), actor)).toEqual(ACME)
  expect(await getBillingDetails(runtime(), other)).toEqual({ company: "", address: "", vatId: "", purchaseOrder: "" })
})

test("a statement names them and its issuer", async () => {
  const actor = await newOwner()
  await saveBillingDetails(runtime(), actor, ACME)
  expect(await getStatement(runtime(), actor, { month: "2026-11" })).toMatchObject({
    issuer: { name: "Decision service", address: "", vatId: "" },
    addressee: { ...ACME, accountName: actor.email },
  })
})

test("Stripe prints them on the invoice of the next checkout", async () => {
  const actor = await newOwner()
  await buyAndPay(double, actor)
  expect(invoices().at(-1)).toMatchObject({ description: null, custom_fields: null })
  await saveBillingDetails(runtime(), actor, ACME)
  await buyAndPay(double, actor)
  expect(invoices().at(-1)).toMatchObject({
    description: "Acme GmbH\nExample Road 1\n12345 Berlin",
    custom_fields: [
      { name: "Purchase order", value: "PO-4711" },
      { name: "VAT id", value: "DE123456789" },
    ],
  })
})

test("a change between two attempts at one checkout does not prevent it", async () => {
  const actor = await newOwner()
  // Twice, because the SDK repeats the first reset by itself.
  double.failNext("POST /v1/checkout/sessions", "reset-after", 2)
  const attempt = newId()
  await expect(buy(actor, "25", attempt)).rejects.toThrow("Nothing was charged")
  await saveBillingDetails(runtime(), actor, ACME)
  expect((await buy(actor, "25", attempt)).sessionId).toMatch(/^cs_test_/)
})

test("closing the account erases them", async () => {
  const actor = await newOwner()
  await saveBillingDetails(runtime(), actor, ACME)
  await inTransaction(runtime().pool, (client) => eraseAccount(client, actor.accountId))
  expect(await getBillingDetails(runtime(), actor)).toEqual({ company: "", address: "", vatId: "", purchaseOrder: "" })
})
