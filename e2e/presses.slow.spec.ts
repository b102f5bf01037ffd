import { newEmail, signIn } from "./support/sign-in"
import { Sweep } from "./support/sweep"
import { expect, test } from "./support/test"

const PHONE_SIZE = { width: 390, height: 844 }

test("the sweep finds a button without a sign, and presses each kind of control once", async ({ browser }) => {
  const context = await browser.newContext()
  await context.route("**/*", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<main><button>Silent</button><ul><li><a href="/a">One</a></li><li><a href="/b">Two</a></li></ul>
        <button onclick="this.ariaBusy = true">Save</button></main>`,
    }),
  )
  const sweep = await Sweep.start(context, "http://localhost")
  await sweep.goOver("/")
  const found = sweep.pressed.map(({ name, mark }) => [name, mark?.by])
  expect(found).toEqual([
    ["Silent", undefined],
    ["One", undefined],
    ["Save", "aria-busy"],
  ])
  await context.close()
})

test("every link and button around the pages shows at once that it was pressed, also on a phone", async ({
  browser,
  service,
}) => {
  const context = await browser.newContext()
  const sweep = await Sweep.start(context, service.url)
  await signIn(sweep.page, service, newEmail("presses"), "/members")
  await sweep.goOver("/members", "frame")
  await sweep.page.setViewportSize(PHONE_SIZE)
  await sweep.goOver("/members", "frame")
  await context.close()
  expect(sweep.pressed.filter(({ mark }) => mark === null).map(({ name }) => name)).toEqual([])
  expect(sweep.gone).toEqual([])
  expect(sweep.pressed.length).toBeGreaterThanOrEqual(25)
})
