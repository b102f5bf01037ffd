import type { Page } from "@playwright/test"
import { expectAccessible } from "./support/axe"
import { THREE_QUESTIONS } from "./support/requests"
import { newEmail, signIn } from "./support/sign-in"
import { expect, PHONE, test } from "./support/test"

/** Holds back requests. Returns a function that lets them continue and waits until they have. */
async function hold(page: Page, url: RegExp): Promise<() => Promise<void>> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(url, async (route) => {
    await released
    await route.continue()
  })
  return async () => {
    release()
    await page.unrouteAll({ behavior: "wait" })
  }
}

/** Holds back every script that is requested after the page's own. */
async function holdScripts(page: Page): Promise<() => Promise<void>> {
  await page.waitForLoadState("networkidle")
  return hold(page, /\/_next\/static\/.*\.js/)
}

test("the command menu finds a request by its id, and another account's request is not found", async ({
  page,
  service,
}) => {
  const [email, other] = [newEmail("finder"), newEmail("other")]
  const { key } = await service.createAccountWithKey(email)
  const { key: otherKey } = await service.createAccountWithKey(other)
  const sent = await service.decide(key, THREE_QUESTIONS)
  const foreign = await service.decide(otherKey, THREE_QUESTIONS)
  const [id, foreignId] = [sent, foreign].map(({ headers }) => headers.get("x-request-id") ?? "")
  await signIn(page, service, email, "/settings")

  await page.keyboard.press("Control+k")
  const menu = page.getByRole("dialog", { name: "Search and commands" })
  const input = menu.getByRole("combobox", { name: "Search pages, keys, requests and docs" })
  await expect(input).toBeFocused()
  await expect(menu.getByRole("group", { name: "API keys" })).toBeVisible()
  // The response for an id that was typed before does not hide the one for the last.
  const release = await hold(page, new RegExp(`/search\\?request=${id}`))
  const late = page.waitForResponse(new RegExp(`/search\\?request=${id}`))
  await input.fill(id ?? "")
  await input.fill(foreignId ?? "")
  await expect(menu.getByRole("status")).toHaveText("No request of this account has this id.")
  await release()
  await (await late).finished()
  await page.waitForTimeout(200)
  await expect(menu.getByRole("status")).toHaveText("No request of this account has this id.")
  await input.fill(id ?? "")
  await expect(menu.getByRole("option", { name: id, selected: true })).toBeVisible()
  await page.keyboard.press("Enter")
  await expect(page).toHaveURL(`${service.url}/requests/${id}`)
  await expect(menu).toBeHidden()
  await expect(page.getByRole("heading", { name: "Request", level: 1 })).toBeInViewport()
  await expect(page.getByRole("main")).toContainText(id ?? "")

  await page.keyboard.press("Control+k")
  await input.fill("create key")
  await page.keyboard.press("Enter")
  await expect(page.getByRole("dialog").getByLabel("Name")).toBeFocused()
  await page.keyboard.press("Escape")
  // While a dialog fades, single keys do nothing.
  await expect(page.getByRole("dialog")).toHaveCount(0)
  await page.keyboard.press("Shift+?")
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible()
  await page.keyboard.press("Escape")
  await expect(page.getByRole("dialog")).toHaveCount(0)

  await page.keyboard.press("Control+k")
  await expect(input).toBeFocused()
  // A menu that is opened while it closes must stay open. A late close event would arrive within a few frames.
  for (let round = 0; round < 10; round++) {
    await Promise.all(["Escape", "Control+k"].map((key) => page.keyboard.press(key)))
    await page.waitForTimeout(200)
    await expect(input).toBeFocused()
  }
  await input.fill("colleague")
  await page.keyboard.press("Enter")
  await expect(page.getByRole("dialog", { name: "Invite a member" })).toBeVisible()
  await expect(page).toHaveURL(`${service.url}/members`)
  await page.keyboard.press("Escape")
  await expect(page.getByRole("dialog")).toHaveCount(0)
  await page.keyboard.press("Control+k")
  await expect(input).toBeFocused()
  await input.fill("dark")
  await page.keyboard.press("Enter")
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark")
})

test("what is typed while the menu loads goes into its field, not into the page behind", async ({ page, service }) => {
  await signIn(page, service, newEmail("typist"), "/playground")
  const name = page.getByLabel("Name", { exact: true }).first()
  await name.fill("kept")
  const release = await holdScripts(page)

  await page.keyboard.press("Control+k")
  await page.keyboard.type("idempotenzy")
  await page.keyboard.press("Backspace")
  await page.keyboard.press("Backspace")
  await page.keyboard.type("cy?")
  await page.keyboard.press("Enter")
  const menu = page.getByRole("dialog", { name: "Search and commands" })
  await expect(menu).toBeHidden()
  const loading = page.getByText("Loading search…")
  await expect(loading).toBeVisible()
  await release()
  const input = menu.getByRole("combobox")
  await expect(input).toBeFocused()
  await expect(input).toHaveValue("idempotency?")
  await expect(loading).toHaveCount(0)
  await input.pressSequentially("x")
  await expect(input).toHaveValue("idempotency?x")
  await page.keyboard.press("Escape")
  await expect(name).toHaveValue("kept")
})

test("Escape gives the keys back to the page while the menu loads", async ({ page, service }) => {
  await signIn(page, service, newEmail("typist"), "/playground")
  const name = page.getByLabel("Name", { exact: true }).first()
  await name.fill("kept")
  const release = await holdScripts(page)
  await page.keyboard.press("Control+k")
  await page.keyboard.type("no")
  await page.keyboard.press("Escape")
  await page.keyboard.type("!")
  await expect(name).toHaveValue("kept!")
  await expect(page.getByText("Loading search…")).toHaveCount(0)
  await release()
  await expect(page.getByRole("dialog")).toBeHidden()
})

test("a tab that was open during an update offers to reload when the menu's code is gone", async ({
  page,
  service,
}) => {
  await signIn(page, service, newEmail("updated"), "/settings")
  await page.waitForLoadState("networkidle")
  await page.route(/\/_next\/static\/.*\.js/, (route) => route.fulfill({ status: 404 }))
  await page.keyboard.press("Control+k")
  await expect(page.getByRole("heading", { name: "This page stopped working" })).toBeVisible()
  await expectAccessible(page)
  await page.unrouteAll({ behavior: "wait" })
  await page.getByRole("button", { name: "Reload page" }).press("Enter")
  await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible()
  await page.waitForLoadState("networkidle")
  await page.keyboard.press("Control+k")
  await expect(page.getByRole("dialog").getByRole("combobox")).toBeFocused()
})

test.describe("on a phone", () => {
  test.use(PHONE)

  test("the docs are searched while the user types, and an example runs in the playground", async ({
    page,
    service,
  }) => {
    await signIn(page, service, newEmail("reader"), "/docs/quickstart")
    await page.getByRole("button", { name: "Search everything" }).tap()
    await page.getByRole("combobox").fill("rate headers")
    await page.getByRole("option", { name: /^Limits › Rate headers/ }).tap()
    await expect(page).toHaveURL(`${service.url}/docs/limits#rate-headers`)
    await expect(page.getByRole("heading", { name: "Rate headers" })).toBeInViewport()

    await page.getByRole("link", { name: "Search the docs" }).tap()
    await page.getByRole("combobox").fill("question score")
    await page.getByRole("option", { name: /^API reference › Question: score/ }).tap()
    const section = page.locator("article")
    await section.locator("label", { hasText: "Go" }).first().tap()
    await page.reload()
    await expect(page.getByRole("radio", { name: "Go" }).first()).toBeChecked()
    await expect(page.getByText("go run create.go")).toBeVisible()
    await page.getByRole("link", { name: "Open in the playground" }).last().tap()
    await expect(page).toHaveURL(`${service.url}/playground`)
    await expect(page.getByText("The shared request is open")).toBeVisible()
    await page.getByRole("button", { name: "Run", exact: true }).tap()
    await expect(page.getByRole("img", { name: "Mean 1.59, most likely level 2" })).toBeVisible()
  })
})

test("the status page needs no session, and its live region contains only the summary", async ({ page, service }) => {
  await expect(async () => {
    await page.goto(`${service.url}/status`)
    await expect(page.getByText("Requests are accepted.")).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 90_000, intervals: [2_000] })
  await expect(page.getByRole("status")).toHaveText("All systems operational")
  await expect(page.getByRole("listitem").filter({ hasText: "Decisions API" })).toContainText("24 hours: 100%")
  await page.getByRole("contentinfo").getByRole("link", { name: "Status" }).press("Enter")
  await expect(page.getByRole("heading", { name: "Status", level: 1 })).toBeVisible()
})

test("each visitor gets the status page with the nonce and the request id of the own response", async ({ service }) => {
  const nonces = new Set<string>()
  for (let n = 0; n < 3; n++) {
    const response = await fetch(`${service.url}/status`)
    const html = await response.text()
    const nonce = /'nonce-([^']+)'/.exec(response.headers.get("content-security-policy") ?? "")?.[1] ?? ""
    const inPage = [...html.matchAll(/nonce(?:=|\\?":\\?)"([^"\\]+)/g)].map(([, found]) => found)
    expect(inPage.length).toBeGreaterThan(5)
    expect(new Set(inPage)).toEqual(new Set([nonce]))
    for (const [, found] of (response.headers.get("link") ?? "").matchAll(/nonce="([^"]+)"/g)) expect(found).toBe(nonce)
    expect(html).toContain(`data-request-id="${response.headers.get("x-request-id")}"`)
    nonces.add(nonce)
  }
  expect(nonces.size).toBe(3)
})
