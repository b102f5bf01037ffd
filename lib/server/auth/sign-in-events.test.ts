import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { operatorFor, type UserActor } from "@/lib/server/platform/actor"
import { createLog } from "@/lib/server/platform/log"
import { installRuntime, runtime } from "@/lib/server/platform/runtime"
import { IDLE } from "@/test/metrics-snapshot"
import { confirm, newLink, post, sessionOf, testSignIn, whoIs } from "@/test/sign-in"
import { setAccountStatus } from "./account-status"

const { app } = await testSignIn()

const CLIENT = { "x-svc-client": "192.0.2.7" }
let lines: Record<string, unknown>[] = []
const counted = vi.spyOn(app.metrics, "signIn")

beforeEach(() => {
  lines = []
  counted.mockClear()
  const log = createLog("info", { write: (line) => void lines.push(JSON.parse(line)) })
  installRuntime({ ...app, log })
})
afterEach(() => installRuntime(app))

const events = () => lines.map(({ event, reason }) => (reason ? `${event}: ${reason}` : event))
const signOut = (token: string | undefined) => post("signout", {}, { cookie: `svcd-session=${token}`, headers: CLIENT })

test("every link and session leaves an event in the log and in the counter", async () => {
  const link = await newLink("ada@example.com")
  const token = sessionOf(await confirm(link, { headers: CLIENT }))
  await confirm(link, { headers: CLIENT })
  await confirm({ ...link, token: "x" }, { headers: CLIENT })
  await post("signin/email", { email: "ada@example.com" })
  await signOut(token)
  expect(events()).toEqual([
    "sign_in.link_sent",
    "session.started",
    "sign_in.link_used",
    "sign_in.link_refused: invalid_link",
    "sign_in.link_refused: invalid_link",
    "sign_in.link_limited: recent",
    "session.ended: user",
  ])
  expect(counted.mock.calls.map(([event]) => event)).toEqual(lines.map(({ event }) => event))
  const text = await app.metrics.render(IDLE)
  expect(text).toContain('svc_sign_in_events_total{event="sign_in.link_used"} 1')
})

test("a client's refused links of every kind have ten lines a minute, and all of them are counted", async () => {
  const form = { token: "0".repeat(64), email: "guessed@example.com" }
  for (const kind of ["email", "confirmation", "address"])
    for (let n = 0; n < 5; n++) await post(`callback/${kind}`, form, { headers: { "x-svc-client": "192.0.2.99" } })
  expect(events()).toHaveLength(10)
  expect(counted.mock.calls.filter(([event]) => event === "sign_in.link_refused")).toHaveLength(15)
})

test("a link that could not be mailed is a failure", async () => {
  const send = vi.spyOn(app.mailer, "send").mockRejectedValueOnce(new Error("no mail server"))
  await post("signin/email", { email: "unlucky@example.com" }, { headers: CLIENT })
  send.mockRestore()
  expect(lines).toMatchObject([{ level: 50, event: "sign_in.send_failed", emailHash: expect.any(String) }])
})

test("addresses are in the log only as hashes, which are the same for the same address", async () => {
  const link = await newLink("secret.address@example.com")
  await confirm(link, { headers: { "x-svc-client": "2001:db8:1:2::7" } })
  await confirm(link, { headers: { "x-svc-client": "2001:db8:1:2::8" } })
  expect(JSON.stringify(lines)).not.toMatch(/secret|example\.com|2001:|:db8/)
  const used = lines.find(({ event }) => event === "sign_in.link_used")
  const refused = lines.find(({ event }) => event === "sign_in.link_refused")
  expect(used?.emailHash).toMatch(/^[\w-]{16}$/)
  expect(refused?.emailHash).toBe(used?.emailHash)
  expect(refused?.clientHash).toBe(used?.clientHash)
  expect(used?.clientHash).not.toBe(used?.emailHash)
})

test("a user of a suspended account learns it after opening the link, and gets no session", async () => {
  const actor = (await whoIs(sessionOf(await confirm(await newLink("bad@example.com"))))) as UserActor
  await setAccountStatus(runtime(), operatorFor(actor.accountId), "suspended")
  await app.pool.query("UPDATE sign_in_token SET created_at = created_at - interval '6 minutes'")
  const response = await confirm(await newLink("bad@example.com"), { headers: CLIENT })
  expect(response.headers.get("location")).toBe("/sign-in?problem=suspended")
  expect(sessionOf(response)).toBeUndefined()
  expect((await app.pool.query("SELECT 1 FROM session WHERE user_id = $1", [actor.userId])).rowCount).toBe(0)
  expect(events()).toContain("session.ended: operator")
  expect(events().at(-1)).toBe("sign_in.link_refused: suspended")
})
