import { createServer, get, type IncomingMessage } from "node:http"
import { afterAll, expect, onTestFinished, test, vi } from "vitest"
import { ClientSlots, Place } from "@/lib/server/api/client-slots"
import { runtime } from "@/lib/server/platform/runtime"
import { buildWithAction } from "@/test/build-with-action"
import { testRuntime } from "@/test/database"
import { listen } from "@/test/listen"
import { ConsoleSupervisor } from "./console-supervisor"

const PROGRAM = "test/doubles/console-process.mjs"

const ACTION = `40${"a".repeat(40)}`
const root = buildWithAction(ACTION, "app/(console)/keys/page")

await testRuntime()
const logged = vi.spyOn(runtime().log, "error")
const supervisor = new ConsoleSupervisor({ database: {}, root, program: PROGRAM })
await supervisor.start()
const failures: unknown[] = []
const newPlace = () => new Place(new ClientSlots(1, 1), "client")
const server = createServer(async (request, response) => {
  try {
    await supervisor.handle(request, response, newPlace())
  } catch (error) {
    failures.push(error)
    response.writeHead(413).end()
  }
})
const url = await listen(server)
afterAll(() => supervisor.close())

const untilServed = () => expect.poll(async () => (await fetch(url)).status, { timeout: 20_000 }).toBe(200)
const open = (path: string) =>
  new Promise<IncomingMessage>((resolve, reject) => get(`${url}${path}`, resolve).on("error", reject))

test("the console's process gets the request as it is, without the headers of the connection", async () => {
  const response = await fetch(`${url}/keys?q=%20`, {
    method: "POST",
    headers: { "x-svc-client": "203.0.113.9", "content-type": "text/plain" },
    body: "text",
  })
  const received = (await response.json()) as Record<string, unknown>
  expect(received).toMatchObject({ method: "POST", url: "/keys?q=%20", body: "text" })
  expect(received.headers).toMatchObject({
    "x-svc-client": "203.0.113.9",
    "content-length": "4",
    host: new URL(url).host,
  })
  expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"])
})

test("a body of undeclared length over 64 KiB is refused", async () => {
  const body = new Blob([Buffer.alloc(65_537)]).stream()
  const response = await fetch(`${url}/keys`, { method: "POST", body, duplex: "half" } as RequestInit)
  expect(response.status).toBe(413)
  expect(failures).toMatchObject([{ code: "request_too_large" }])
})

test("an action reaches its own page only", async () => {
  const send = async (page: string) => {
    const headers = { "next-action": ACTION, "content-type": "text/plain" }
    const response = await fetch(`${url}${page}`, { method: "POST", headers, body: "[1]" })
    return [response.status, response.headers.get("x-nextjs-action-not-found")]
  }
  failures.length = 0
  expect(await send("/keys")).toEqual([200, null])
  expect(failures).toEqual([])
  expect((await send("/settings"))[1]).toBe("1")
  expect(failures).toMatchObject([{ code: "not_found" }])
})

test("sign-ins and mails of the console's process are counted by the server, which is scraped", async () => {
  const [signIn, mail] = [vi.spyOn(runtime().metrics, "signIn"), vi.spyOn(runtime().metrics, "mail")]
  await fetch(`${url}/sign-in`)
  await expect.poll(() => mail.mock.calls).toContainEqual(["failed"])
  expect(signIn).toHaveBeenCalledWith("sign_in.link_sent")
})

test("a HEAD and a status without a body are passed on", async () => {
  const response = await fetch(url, { method: "HEAD" })
  expect([response.status, await response.text()]).toEqual([200, ""])
})

test("a process that ends is replaced, and its open requests get 503", async () => {
  logged.mockClear()
  const before = (await fetch(url)).headers.get("x-pid")
  const waiting = fetch(`${url}/silent`)
  expect((await fetch(`${url}/exit`)).status).toBe(503)
  await expect.poll(() => supervisor.isUp).toBe(false)
  expect((await waiting).status).toBe(503)
  await untilServed()
  expect(supervisor.isUp).toBe(true)
  expect((await fetch(url)).headers.get("x-pid")).not.toBe(before)
  expect(logged.mock.calls.map(([, fields]) => fields?.event)).toEqual(["console.ended"])
})

test("a response is cut when the process ends within it", async () => {
  const response = await open("/half")
  const text = async () => {
    for await (const _chunk of response);
  }
  await expect(text()).rejects.toThrow("aborted")
  await untilServed()
})

test("a client that leaves ends its request in the console's process", async () => {
  const endless = async () => ((await (await fetch(url)).json()) as { endless: number }).endless
  const response = await open("/endless")
  expect(await endless()).toBe(1)
  response.destroy()
  await expect.poll(endless).toBe(0)
})

test("the process learns which engines are available", async () => {
  const addresses = [{ url: "http://127.0.0.1:9", isDraining: false, available: false, reason: "down" }]
  vi.spyOn(runtime().engines, "reports").mockReturnValue([["m", { available: false, reason: "down" }, addresses]])
  await expect
    .poll(async () => ((await (await fetch(url)).json()) as { engines: unknown }).engines)
    .toEqual([["m", { available: false, reason: "down" }, addresses]])
})

test("a process whose event loop is blocked for 60 s is killed and replaced, one that responds is not", async () => {
  // The shared supervisor uses the same clock, so it is closed before the clock moves.
  await supervisor.close()
  let aheadMs = 0
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + aheadMs)
  const watched = new ConsoleSupervisor({ database: {}, root, program: PROGRAM, pingMs: 50 })
  await watched.start()
  const front = createServer((request, response) => void watched.handle(request, response, newPlace()))
  const address = await listen(front)
  onTestFinished(async () => {
    clock.mockRestore()
    await watched.close()
  })
  const pings = async () => ((await (await fetch(address)).json()) as { pings: number }).pings
  const pid = async () => (await fetch(address)).headers.get("x-pid")

  const first = await pid()
  for (let step = 0; step < 8; step++) {
    aheadMs += 15_000
    const before = await pings()
    await expect.poll(pings, { timeout: 20_000 }).toBeGreaterThan(before + 1)
  }
  expect(await pid()).toBe(first)

  logged.mockClear()
  const hung = await fetch(`${address}/hang`)
  let isCut = false
  hung.text().catch(() => {
    isCut = true
  })
  // A reply that the process sent before it hung may arrive after the first step. A step over 20 s would count as a pause of the
  // test's own process.
  const isCutLater = () => {
    aheadMs += 15_000
    return isCut
  }
  await expect.poll(isCutLater, { timeout: 20_000, interval: 200 }).toBe(true)
  await expect.poll(async () => (await fetch(address)).status, { timeout: 20_000 }).toBe(200)
  expect(await pid()).not.toBe(first)
  expect(logged.mock.calls.map(([, fields]) => fields?.event)).toEqual(["console.ended"])
})

test("a process that cannot start fails the start with its reason", async () => {
  const broken = new ConsoleSupervisor({ database: {}, root: "broken", program: PROGRAM })
  await expect(broken.start()).rejects.toThrow("The console did not start: there is no build")
  await broken.close()
})
