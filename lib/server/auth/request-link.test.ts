import { expect, test, vi } from "vitest"
import { listOutbox } from "@/lib/server/mail/outbox"
import { runtime } from "@/lib/server/platform/runtime"
import { backdateLinks, confirm, mailTo, newLink, post, sessionOf, stateOf, testSignIn } from "@/test/sign-in"

const { app, printed } = await testSignIn()

test("a second send to an unknown address within a minute is refused with its retry time", async () => {
  const sentAfterMs = Date.now()
  await post("signin/email", { email: "minute@example.com" })
  const response = await post("signin/email", { email: "minute@example.com" })
  expect(response.headers.get("location")).toBe("/sign-in/check")
  const { retryAtMs = 0 } = stateOf(response)
  // Counted from the first send, because the second may come seconds later.
  expect(retryAtMs).toBeGreaterThan(sentAfterMs + 59_000)
  expect(retryAtMs).toBeLessThan(Date.now() + 61_000)
  expect((await listOutbox(runtime())).filter(({ to }) => to === "minute@example.com")).toHaveLength(1)
})

test("20 concurrent sends to one address send one message", async () => {
  await Promise.all(Array.from({ length: 20 }, () => post("signin/email", { email: "burst@example.com" })))
  expect((await listOutbox(runtime())).filter(({ to }) => to === "burst@example.com")).toHaveLength(1)
})

const sendFrom = (client: string, i: number) =>
  post(
    "signin/email",
    { email: `n${i}@${client.replaceAll(/[^a-z0-9]/g, "-")}.example` },
    { headers: { "x-svc-client": client } },
  )

test("the eleventh send of a client within an hour is refused, whatever addresses it names", async () => {
  for (let i = 0; i < 10; i++) expect((await sendFrom("192.0.2.9", i)).headers.get("location")).toBe("/sign-in/check")
  expect((await sendFrom("192.0.2.9", 10)).headers.get("location")).toBe("/sign-in?problem=limit")
  expect((await sendFrom("192.0.2.10", 0)).headers.get("location")).toBe("/sign-in/check")
})

test("one IPv6 customer is one client", async () => {
  for (let i = 0; i < 10; i++) await sendFrom(`2001:db8:1:2::${i}`, i)
  expect((await sendFrom("2001:db8:1:2:ffff::1", 10)).headers.get("location")).toBe("/sign-in?problem=limit")
})

test("a client whose address is unknown has the limits of one client", async () => {
  const send = (i: number) =>
    post("signin/email", { email: `unknown-client${i}@example.com` }, { headers: { "x-svc-client": "" } })
  for (let i = 0; i < 10; i++) expect((await send(i)).headers.get("location")).toBe("/sign-in/check")
  expect((await send(10)).headers.get("location")).toBe("/sign-in?problem=limit")
})

test("a client at this machine may request links for many addresses", async () => {
  for (let i = 0; i < 12; i++) expect((await sendFrom("127.0.0.1", i)).headers.get("location")).toBe("/sign-in/check")
})

test("known and unknown addresses get the same response", async () => {
  await confirm(await newLink("known@example.com"))
  await backdateLinks("known@example.com", "2 minutes")
  const known = await post("signin/email", { email: "known@example.com" })
  const unknown = await post("signin/email", { email: "never@example.com" })
  expect(known.status).toBe(unknown.status)
  expect(known.headers.get("location")).toBe(unknown.headers.get("location"))
  expect(Object.keys(stateOf(known))).toEqual(Object.keys(stateOf(unknown)))
})

test("an invalid address is shown again in the form, and nothing is sent", async () => {
  const before = (await listOutbox(runtime()))[0]?.id
  const response = await post("signin/email", { email: "ada＠example.com", next: "/keys" })
  expect(response.headers.get("location")).toBe("/sign-in?problem=email&next=%2Fkeys")
  expect(stateOf(response)).toEqual({ email: "ada＠example.com" })
  expect((await listOutbox(runtime()))[0]?.id).toBe(before)
})

test("the link is built from CONSOLE_URL, whatever Host and forwarding headers say", async () => {
  const headers = { host: "evil.example", "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" }
  await post("signin/email", { email: "host@example.com" }, { headers })
  const message = await mailTo("host@example.com")
  expect(message?.link).toMatch(/^http:\/\/localhost:3000\/sign-in\/confirm#t=[0-9a-f]{64}&e=host%40example\.com/)
  expect(message?.text).not.toContain("evil")
})

test("without a mail server the terminal gets the link in one line", async () => {
  await post("signin/email", { email: "terminal@example.com" })
  const message = await mailTo("terminal@example.com")
  expect(printed()).toEqual([`Sign-in link for terminal@example.com: ${message?.link}\n`])
})

test("a failing mail server is reported, and the address stays in the form", async () => {
  const send = vi.spyOn(app.mailer, "send").mockRejectedValueOnce(new Error("connection refused"))
  const response = await post("signin/email", { email: "down@example.com" })
  expect(response.headers.get("location")).toBe("/sign-in?problem=mail")
  expect(stateOf(response)).toMatchObject({ email: "down@example.com" })
  send.mockRestore()
})

test("a message that fails after a newer one was delivered ends its own link only", async () => {
  const email = "slow@example.com"
  let fail = (_cause: Error): void => {}
  const slow = new Promise<void>((_resolve, reject) => {
    fail = reject
  })
  const send = vi.spyOn(app.mailer, "send").mockReturnValueOnce(slow)
  const first = post("signin/email", { email })
  await expect.poll(() => send.mock.calls.length).toBe(1)
  await backdateLinks(email, "2 minutes")
  const second = await newLink(email)
  fail(new Error("connection timed out"))
  expect((await first).headers.get("location")).toBe("/sign-in?problem=mail")
  send.mockRestore()
  const valid = await app.pool.query("SELECT FROM sign_in_token WHERE email = $1 AND expires_at > now()", [email])
  expect(valid.rowCount).toBe(1)
  expect(sessionOf(await confirm(second))).toBeDefined()
})

test("after a failed message the next may follow at once, five times an hour per client", async () => {
  const send = () => post("signin/email", { email: "flaky@example.com" }, { headers: { "x-svc-client": "192.0.2.77" } })
  const failing = vi.spyOn(app.mailer, "send").mockRejectedValue(new Error("connection refused"))
  for (let i = 0; i < 4; i++) expect((await send()).headers.get("location")).toBe("/sign-in?problem=mail")
  failing.mockRestore()
  const sent = await send()
  expect(sent.headers.get("location")).toBe("/sign-in/check")
  expect(stateOf(sent).sentAtMs).toBeDefined()
  await backdateLinks("flaky@example.com", "6 minutes")
  expect((await send()).headers.get("location")).toBe("/sign-in?problem=limit")
})
