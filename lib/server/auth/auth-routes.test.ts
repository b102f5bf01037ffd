import { expect, test } from "vitest"
import { runtime } from "@/lib/server/platform/runtime"
import { confirm, newLink, ORIGIN, post, sessionOf, testSignIn } from "@/test/sign-in"
import { handleAuthRequest } from "./auth-routes"

await testSignIn()

test.each([undefined, "null", "https://evil.example", "http://localhost:4000", "https://localhost:3000"])(
  "a form from origin %j is refused by the routes that sign in and out",
  async (origin) => {
    const link = await newLink(`o${String(origin).replaceAll(/[^a-z0-9]/g, "")}@example.com`)
    for (const route of ["signin/email", "callback/email", "signout", "signout/everywhere"]) {
      const request = new Request(`${ORIGIN}/api/auth/${route}`, {
        method: "POST",
        headers: origin === undefined ? {} : { origin },
        body: new URLSearchParams({ ...link }),
      })
      expect((await handleAuthRequest(runtime(), route, request)).status).toBe(403)
    }
    expect(sessionOf(await confirm(link))).toBeDefined()
  },
)

test.each(["signin/email", "callback/email", "signout", "signout/everywhere"])(
  "a form of the console's own origin is accepted at %s",
  async (route) => {
    const link = await newLink(`own-${route.replace("/", "-")}@example.com`)
    expect((await post(route, { ...link })).status).toBe(303)
  },
)

test("on this machine 127.0.0.1 and localhost are the same origin", async () => {
  const response = await post("signout", { a: "b" }, { headers: { origin: "http://127.0.0.1:3000" } })
  expect(response.status).toBe(303)
})

test.each([
  "signin",
  "callback",
  "session",
  "csrf",
  "providers",
  "_log",
  "error",
  "signin/github",
  "callback/email/x",
  "",
])("there is no route %j", async (route) => {
  expect((await post(route, { a: "b" })).status).toBe(404)
})

test("a body that is not a small form is refused", async () => {
  const json = new Request(`${ORIGIN}/`, { method: "POST", headers: { origin: ORIGIN }, body: '{"email":"a@b.c"}' })
  expect((await handleAuthRequest(runtime(), "signin/email", json)).status).toBe(400)
  expect((await post("signin/email", { email: "x".repeat(9_000) })).status).toBe(400)
})

test("a form without fields is accepted", async () => {
  const headers = { origin: ORIGIN, "content-type": "application/x-www-form-urlencoded" }
  const request = new Request(`${ORIGIN}/`, { method: "POST", headers })
  expect((await handleAuthRequest(runtime(), "signout", request)).status).toBe(303)
})
