import { setTimeout as sleep } from "node:timers/promises"
import { ONE_QUESTION } from "./support/requests"
import { chooseInRow } from "./support/row-menu"
import type { Service } from "./support/service"
import { newEmail, signIn } from "./support/sign-in"
import { expect, test } from "./support/test"

/** Sends requests with a secret until it is stopped, one after another. */
function load(service: Service, secret: string) {
  const sent: { at: number; status: number }[] = []
  let isStopped = false
  const sending = (async () => {
    while (!isStopped) {
      const at = performance.now()
      sent.push({ at, status: (await service.decide(secret, ONE_QUESTION)).status })
      // Below the rate limit of the key, which both secrets share.
      await sleep(300)
    }
  })()
  return {
    sent,
    async stop() {
      isStopped = true
      await sending
    },
  }
}

test("a key that is replaced in one browser serves both secrets, until another browser ends the old one", async ({
  service,
  page,
  browser,
}) => {
  const email = newEmail("two-browsers")
  const { key } = await service.createAccountWithKey(email)
  await signIn(page, service, email, "/keys")
  const other = await browser.newContext()
  const theirs = await other.newPage()
  await signIn(theirs, service, email, "/keys")
  await theirs.getByRole("link", { name: "Test" }).click()
  await expect(theirs.getByText("Two secrets work")).toHaveCount(0)

  const old = load(service, key)
  await chooseInRow(page, "Test", "Replace secret")
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("Hours that the old secret still works").fill("24")
  await dialog.getByRole("button", { name: "Replace secret" }).click()
  const current = load(service, await dialog.getByLabel("Your key").inputValue())
  const inOverlap = old.sent.length
  await expect.poll(() => Math.min(old.sent.length - inOverlap, current.sent.length)).toBeGreaterThan(5)

  // The page that was opened before the replacement cannot undo it.
  await theirs.getByLabel("Note (optional)").fill("Changed meanwhile.")
  await theirs.getByRole("button", { name: "Save changes" }).click()
  await expect(theirs.getByText("Two secrets work")).toBeVisible()
  await expect(theirs.getByText("Changed meanwhile.")).toBeVisible()
  const endingAt = performance.now()
  await theirs.getByRole("button", { name: "End old secret" }).click()
  await expect(theirs.getByText("Two secrets work")).toHaveCount(0)
  const endedAt = performance.now()
  const sentBefore = old.sent.length
  await expect.poll(() => old.sent.length - sentBefore).toBeGreaterThan(12)
  await Promise.all([old.stop(), current.stop()])

  const statuses = (from: number, to: number) =>
    new Set(old.sent.flatMap(({ at, status }) => (at >= from && at < to ? [status] : [])))
  expect([...statuses(0, endingAt - 1_000)]).toEqual([200])
  expect([...statuses(endedAt + 2_000, Number.POSITIVE_INFINITY)]).toEqual([401])
  expect([...new Set(current.sent.map(({ status }) => status))]).toEqual([200])

  // The first browser still has the dialog with the new secret, and its list shows the key once, with the new secret.
  await dialog.getByRole("button", { name: "Copy the key" }).click()
  await dialog.getByRole("button", { name: "Done" }).click()
  await page.getByRole("link", { name: "Test" }).click()
  await expect(page.getByText("Two secrets work")).toHaveCount(0)
  await other.close()
})
