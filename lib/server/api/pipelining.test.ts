import { once } from "node:events"
import type { ServerResponse } from "node:http"
import { expect, test } from "vitest"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { insertFastKey } from "@/test/insert-rows"
import { moneyOf } from "@/test/ledger-state"
import { postHead, RawConnection } from "@/test/raw-http"
import { gate, scriptedEngine } from "@/test/scripted-engine"
import { startEdge, testService } from "@/test/service"
import type { EdgeOptions } from "./edge"

const service = await testService({ TRUSTED_PROXY_HOPS: "1" })
const FROM = "x-forwarded-for: 203.0.113.9"
const GET = `GET / HTTP/1.1\r\nhost: x\r\n${FROM}\r\n\r\n`
const BODY = JSON.stringify({ model: ALIAS, state: "hi", questions: { q: { type: "noul", instructions: "Is it?" } } })

const decision = (token: string): string => {
  const headers = { authorization: `Bearer ${token}`, "x-forwarded-for": "203.0.113.9" }
  return `${postHead({ ...headers, "content-length": BODY.length })}${BODY}`
}

/** Starts an edge whose pages are answered by `onPage`. */
const startPages = (onPage: (response: ServerResponse) => void, options?: EdgeOptions) =>
  startEdge("all", (_request, response) => onPage(response), options)

test("at most 4 of 1,000 pipelined requests run at once, and all get their response in order", async () => {
  let open = 0
  let most = 0
  let count = 0
  const { url } = await startPages((response) => {
    most = Math.max(most, ++open)
    const number = String(count++)
    setTimeout(() => {
      open--
      response.end(number)
    }, 1)
  })
  const connection = new RawConnection(url)
  let received = ""
  connection.socket.on("data", (chunk) => {
    received += chunk
  })
  await connection.write(GET.repeat(1_000))
  await expect.poll(() => received.endsWith("\r\n\r\n999"), { timeout: 20_000 }).toBe(true)
  connection.socket.destroy()
  expect([most, count]).toEqual([4, 1_000])
})

test("a client that pipelines 20 decisions gets and pays for 20 answers", async () => {
  const { accountId, token } = await insertFastKey()
  const connection = new RawConnection(service.url)
  await connection.write(decision(token).repeat(20))
  const answers = await connection.awaitResponses(20)
  connection.socket.destroy()
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
  expect((await moneyOf(accountId)).charges).toBe(20)
})

test("decisions of a connection that closes are aborted, also those whose response was not next", async () => {
  const engine = await scriptedEngine()
  const { wait, open } = gate()
  engine.waitBeforeAnswer = wait
  const { accountId, token } = await insertFastKey()
  const connection = new RawConnection(service.url)
  await connection.write(decision(token).repeat(4))
  await expect.poll(() => engine.working).toBe(4)
  connection.socket.destroy()
  await expect.poll(() => service.inFlight.count).toBe(0)
  open()
  expect((await moneyOf(accountId)).charges).toBe(0)
})

test("a client that reads nothing of its response is cut", async () => {
  const { url, edge } = await startPages((response) => void response.end(Buffer.alloc(64 * 1024 * 1024)), {
    stallMs: 300,
  })
  const cut = once(edge.server, "connection").then(([socket]) => once(socket, "close"))
  const connection = new RawConnection(url)
  connection.socket.pause()
  await connection.write(GET.repeat(8))
  await cut
  connection.socket.destroy()
})

test("a client whose response takes long is not cut", async () => {
  const { url } = await startPages((response) => void setTimeout(() => response.end("late"), 900), { stallMs: 200 })
  const connection = new RawConnection(url)
  await connection.write(GET)
  expect((await connection.awaitResponses()).map(({ status }) => status)).toEqual([200])
  connection.socket.destroy()
})

test("requests for pages beyond a client's share get 503 at once, and another client's are served", async () => {
  const waiting: ServerResponse[] = []
  const { url } = await startPages((response) => void waiting.push(response), { pages: { perClient: 2, total: 3 } })
  const get = (client: string, accept = "*/*") => fetch(url, { headers: { "x-forwarded-for": client, accept } })
  const first = [get("203.0.113.1"), get("203.0.113.1")]
  await expect.poll(() => waiting.length).toBe(2)
  const refused = await get("203.0.113.1", "text/html")
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"])
  expect(refused.headers.get("content-type")).toBe("text/html; charset=utf-8")
  expect(refused.headers.get("content-security-policy")).toContain("default-src 'none'")
  const other = get("198.51.100.2")
  await expect.poll(() => waiting.length).toBe(3)
  expect((await get("192.0.2.3")).status).toBe(503)
  for (const response of waiting.splice(0)) response.end("a page")
  expect((await Promise.all([...first, other])).map(({ status }) => status)).toEqual([200, 200, 200])
  const again = get("203.0.113.1")
  await expect.poll(() => waiting.length).toBe(1)
  waiting[0]?.end("a page")
  expect((await again).status).toBe(200)
})

test.each([
  ["203.0.113", (n: number) => `203.0.113.${n}`, "203.0.114.1"],
  ["2001:db8:1", (n: number) => `2001:db8:1:${n.toString(16)}::1`, "2001:db8:2::1"],
])(
  "the clients of the network %s get half of the pages together, and another network's are served",
  async (_name, of, other) => {
    const waiting: ServerResponse[] = []
    const { url } = await startPages((response) => void waiting.push(response), { pages: { perClient: 2, total: 8 } })
    const get = (client: string) => fetch(url, { headers: { "x-forwarded-for": client } })
    const shown = [1, 2, 3, 4].map((n) => get(of(n)))
    await expect.poll(() => waiting.length).toBe(4)
    expect((await get(of(5))).status).toBe(503)
    shown.push(get(other))
    await expect.poll(() => waiting.length).toBe(5)
    for (const response of waiting) response.end("a page")
    expect((await Promise.all(shown)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  },
)

test("of many pipelined requests beyond a client's share, one gets 503 and closes the connection", async () => {
  const rendered: ServerResponse[] = []
  const { url } = await startPages((response) => void rendered.push(response), { pages: { perClient: 1, total: 9 } })
  const first = fetch(url, { headers: { "x-forwarded-for": "203.0.113.9" } })
  await expect.poll(() => rendered.length).toBe(1)
  const connection = new RawConnection(url)
  await connection.write(GET.repeat(500))
  await connection.closed
  expect(connection.received.match(/^HTTP\/1.1 .*$/gm)).toEqual(["HTTP/1.1 503 Service Unavailable"])
  rendered[0]?.end()
  expect((await first).status).toBe(200)
  expect(rendered).toHaveLength(1)
})

test("a connection that never sent a byte is closed early when the server stops", async () => {
  const { edge, url } = await startEdge("all", null)
  const connection = new RawConnection(url)
  await expect.poll(() => connection.socket.readyState).toBe("open")
  const startedAt = performance.now()
  await edge.close()
  // A connection that is not closed early is destroyed only after 28 s.
  expect(performance.now() - startedAt).toBeLessThan(20_000)
  await connection.closed
})
