import { newEmail } from "./support/sign-in"
import { expect, test } from "./support/test"
import { press, Topups } from "./support/topups"

let here: Topups
test.beforeAll(async () => {
  here = await Topups.start()
})
test.afterAll(() => here.destroy())
test.afterEach(() => here.calm())

const restart = async () => {
  await here.service.end("SIGKILL")
  await here.service.resume()
}

test("kill -9 before a payment whose webhooks arrive last: the return page credits it once", async ({ page }) => {
  const email = newEmail("killed")
  await here.newAccount(email)
  await here.openTopUp(page, email)
  here.double.setDelivery("held")
  const sessionId = await here.goToCheckout(page)
  await here.service.end("SIGKILL")
  await press(page, "Pay").catch(() => {})
  await here.service.resume()
  await page.goto(`${here.service.url}/billing/top-up/return?session_id=${sessionId}`)
  await expect(page.getByRole("main").getByRole("status")).toContainText("$25.00 added")
  await here.double.flush()
  await here.double.deliver(here.double.events.map(({ id }) => id))
  expect(await here.balanceOf(email)).toBe("25.00")
})

test("kill -9 after the payment, with every webhook lost and the browser closed: the poller credits it once", async ({
  page,
}) => {
  const email = newEmail("closed")
  await here.newAccount(email)
  await here.openTopUp(page, email)
  here.double.setDelivery("dropped")
  const sessionId = await here.goToCheckout(page)
  await page.close()
  here.double.pay(sessionId)
  await restart()
  // The poller, which runs every 15 s, checks a new top-up 30 s after its last check.
  await here.service.sql("UPDATE topup SET checked_at = checked_at - interval '30 s'")
  await expect.poll(() => here.balanceOf(email)).toBe("25.00")
})

test("kill -9 while Stripe opens the checkout: the next click leads to the same session", async ({ page }) => {
  const email = newEmail("opening")
  await here.newAccount(email)
  await here.openTopUp(page, email)
  const before = here.double.world.store.all("checkout.session").length
  here.double.failNext("POST /v1/checkout/sessions", "held")
  await press(page, "Go to checkout")
  await expect.poll(() => here.double.faults.waiting).toBe(1)
  await here.service.end("SIGKILL")
  here.double.releaseRequests()
  await expect(page.getByText("The server is unreachable.")).toBeVisible()
  await here.service.resume()
  const sessionId = await here.goToCheckout(page)
  expect(here.double.world.store.all("checkout.session")).toHaveLength(before + 1)
  expect(sessionId).toBe(here.double.world.store.all("checkout.session").at(-1)?.id)
  await press(page, "Pay")
  await expect(page.getByRole("main").getByRole("status")).toContainText("$25.00 added")
  expect(await here.balanceOf(email)).toBe("25.00")
})

test("kill -9 while a webhook is processed: the next webhook credits it once", async ({ page }) => {
  const email = newEmail("settling")
  await here.newAccount(email)
  await here.openTopUp(page, email)
  const sessionId = await here.goToCheckout(page)
  here.double.failNext("GET /v1/refunds", "held")
  here.double.pay(sessionId)
  await expect.poll(() => here.double.faults.waiting).toBe(1)
  await restart()
  here.double.releaseRequests()
  await here.double.deliver(here.double.events.slice(-6).map(({ id }) => id))
  expect(await here.balanceOf(email)).toBe("25.00")
  const verdict = await here.service.operator<{ ok: boolean }>("ledger", "verify")
  expect(verdict.ok).toBe(true)
})
