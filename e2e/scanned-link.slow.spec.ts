import type { Service } from "./support/service"
import { expect, test } from "./support/test"

async function askForLink(service: Service, email: string): Promise<string> {
  await fetch(`${service.url}/api/auth/signin/email`, {
    method: "POST",
    redirect: "manual",
    headers: { origin: service.url },
    body: new URLSearchParams({ email }),
  })
  return service.mailedLink(email)
}

/** Sends what the button on the link's page sends. */
const confirm = (service: Service, fields: URLSearchParams): Promise<Response> =>
  fetch(`${service.url}/api/auth/callback/email`, {
    method: "POST",
    redirect: "manual",
    headers: { origin: service.url },
    body: new URLSearchParams({ token: fields.get("t") ?? "", email: fields.get("e") ?? "" }),
  })

const sessionOf = (response: Response): string | undefined =>
  response.headers
    .getSetCookie()
    .find((text) => text.startsWith("svcd-session="))
    ?.split(";")[0]

test("100 GETs and HEADs by a mail scanner do not use up a link, and of 50 concurrent clients one gets a session", async ({
  service,
  browser,
}) => {
  const link = await askForLink(service, "scanned@example.com")
  const fields = new URLSearchParams(new URL(link).hash.slice(1))
  const callback = new URLSearchParams({ token: fields.get("t") ?? "", email: fields.get("e") ?? "" })
  for (let i = 0; i < 50; i++)
    for (const method of ["GET", "HEAD"]) {
      const opened = await fetch(link, { method })
      const called = await fetch(`${service.url}/api/auth/callback/email?${callback}`, { method, redirect: "manual" })
      expect([opened.status, called.status]).toEqual([200, 405])
      expect([...opened.headers.getSetCookie(), ...called.headers.getSetCookie()]).toEqual([])
    }
  // A scanner that renders the page in a browser clicks no button.
  const scanner = await browser.newPage()
  await scanner.goto(link)
  await expect(scanner.getByText("scanned@example.com")).toBeVisible()
  expect(await scanner.context().cookies()).toEqual([])
  await scanner.close()
  const answers = await Promise.all(Array.from({ length: 50 }, () => confirm(service, fields)))
  const sessions = answers.map(sessionOf).filter((cookie) => cookie !== undefined)
  expect(sessions).toHaveLength(1)
  const settings = await fetch(`${service.url}/settings`, { headers: { cookie: sessions[0] ?? "" } })
  expect((await settings.text()).match(/>This browser</g)).toHaveLength(1)
})
