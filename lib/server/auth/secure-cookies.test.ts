import { expect, test, vi } from "vitest"
import type { MailMessage } from "@/lib/server/mail/mailer"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { actorOfCookies } from "./actor-of-cookies"
import { handleAuthRequest } from "./auth-routes"

const ORIGIN = "https://console.example"
const sent: MailMessage[] = []

const { mailer } = await testRuntime({
  CONSOLE_URL: ORIGIN,
  EMAIL_SERVER: "smtp://127.0.0.1:1",
  EMAIL_FROM: "no-reply@console.example",
})
vi.spyOn(mailer, "send").mockImplementation(async (message) => {
  sent.push(message)
})

const post = (route: string, fields: Record<string, string>, cookie = "") =>
  handleAuthRequest(
    runtime(),
    route,
    new Request(`${ORIGIN}/api/auth/${route}`, {
      method: "POST",
      headers: { origin: ORIGIN, cookie },
      body: new URLSearchParams(fields),
    }),
  )

test("over HTTPS every sign-in cookie is for this host only, secure and hidden from scripts", async () => {
  const asked = await post("signin/email", { email: "ada@example.com" })
  const link = new URL(/https:\S+/.exec(sent[0]?.text ?? "")?.[0] ?? "")
  expect(link.origin).toBe(ORIGIN)
  const fragment = new URLSearchParams(link.hash.slice(1))
  const confirmed = await post("callback/email", { token: fragment.get("t") ?? "", email: fragment.get("e") ?? "" })
  const session = confirmed.headers.getSetCookie()[0]?.split(";")[0] ?? ""
  expect((await actorOfCookies(runtime(), session, null))?.email).toBe("ada@example.com")
  const left = await post("signout", { a: "b" }, session)
  const leftAll = await post("signout/everywhere", { a: "b" }, session)
  const cookies = [asked, confirmed, left, leftAll].flatMap(({ headers }) => headers.getSetCookie())
  expect(cookies.map((text) => text.split("=")[0])).toEqual([
    "__Host-svcd-sign-in",
    "__Host-svcd-session",
    "__Host-svcd-known",
    "__Host-svcd-sign-in",
    "__Host-svcd-session",
    "__Host-svcd-session",
  ])
  for (const cookie of cookies) {
    const attributes = cookie.split("; ").slice(1)
    for (const attribute of ["Path=/", "Secure", "HttpOnly", "SameSite=Lax"]) expect(attributes).toContain(attribute)
    expect(cookie).not.toContain("Domain")
  }
  expect(await actorOfCookies(runtime(), session, null)).toBeNull()
})
