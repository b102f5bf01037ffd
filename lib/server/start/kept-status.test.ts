import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { Agent, createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import path from "node:path"
import { beforeEach, expect, test, vi } from "vitest"
import { REQUEST_ID_HEADER } from "@/lib/shared/request-ids"
import { afterFile } from "@/test/after-file"
import { endServer, listen } from "@/test/listen"
import { tempFolder } from "@/test/temp-folder"
import { KeptStatus } from "./kept-status"

const POLICY = "content-security-policy"
const MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)"

/** What the renderings received, one entry for each. */
const rendered: IncomingHttpHeaders[] = []
let respond: (headers: IncomingHttpHeaders, response: ServerResponse) => void

/** A page that shows every header of its request, so that one of a visitor would be seen by the next. */
const show: typeof respond = (headers, response) => {
  const policy = String(headers[POLICY])
  const nonce = /'nonce-(.+)'/.exec(policy)?.[1]
  const text = `<script nonce="${nonce}">["${nonce}"]</script>${rendered.length} ${JSON.stringify(headers)}`
  const link = `</a.woff2>; rel=preload; as="font"; nonce="${nonce}"`
  response.writeHead(200, { "content-type": "text/html", vary: "rsc", link, [POLICY]: policy }).end(text)
}

const socketPath = path.join(tempFolder(), "console.sock")
const renderer = createServer((request, response) => {
  rendered.push(request.headers)
  respond(request.headers, response)
}).listen(socketPath)
await once(renderer, "listening")
const agent = new Agent({ keepAlive: true })
afterFile(async () => {
  agent.destroy()
  await endServer(renderer)
})

let kept = new KeptStatus()
/** Stands in for the edge: it gives each request a nonce and an id of its own, and says both. */
const url = await listen(
  createServer(async (request, response) => {
    const [nonce, id] = [randomBytes(16).toString("base64"), `req_${randomBytes(8).toString("hex")}`]
    request.headers[POLICY] = `script-src 'nonce-${nonce}'`
    request.headers[REQUEST_ID_HEADER] = id
    response.setHeader(POLICY, request.headers[POLICY])
    response.setHeader("x-nonce", nonce)
    response.setHeader("x-request-id", id)
    if (!(await kept.send(request, response, { socketPath, agent }))) response.end("own")
  }),
)

/** Stopped unless a test moves it, because a second may pass on a busy machine. */
let ms = 1_000
const clock = vi.spyOn(performance, "now").mockImplementation(() => ms)
afterFile(() => clock.mockRestore())

beforeEach(() => {
  ms = 1_000
  kept = new KeptStatus()
  rendered.length = 0
  respond = show
})

async function get(headers: Record<string, string> = {}, options: { path?: string; method?: string } = {}) {
  const response = await fetch(`${url}${options.path ?? "/status"}`, { method: options.method, headers })
  const of = (name: string) => response.headers.get(name) ?? ""
  return { text: await response.text(), nonce: of("x-nonce"), id: of("x-request-id"), of }
}

/** Returns how many times the page of these visitors was rendered. */
const renderings = () => rendered.length

test("visitors within a second get one page, each with the nonce and the request id of its own response", async () => {
  const pages = [await get(), ...(await Promise.all(Array.from({ length: 20 }, () => get())))]
  expect(renderings()).toBe(1)
  for (const { text, nonce, id, of } of pages) {
    expect(text).toContain(`<script nonce="${nonce}">["${nonce}"]</script>1 `)
    expect(text).toContain(id)
    expect(of(POLICY)).toBe(`script-src 'nonce-${nonce}'`)
    expect(of("link")).toBe(`</a.woff2>; rel=preload; as="font"; nonce="${nonce}"`)
    expect([of("content-type"), of("vary"), of("content-encoding")]).toEqual(["text/html", "rsc", "gzip"])
    for (const other of pages)
      if (other.id !== id) expect(text.includes(other.id) || text.includes(other.nonce)).toBe(false)
  }
})

test("requests at once share one rendering", async () => {
  await Promise.all(Array.from({ length: 20 }, () => get()))
  expect(renderings()).toBe(1)
})

test("no header of a visitor reaches the page of another", async () => {
  const names = ["accept-language", "x-forwarded-for", "x-svc-client", "x-svc-local", "referer", "origin"]
  const own = { "user-agent": "private/1", ...Object.fromEntries(names.map((name) => [name, `private-${name}`])) }
  expect((await get(own)).text).not.toContain("private")
  expect((await get()).text).not.toContain("private")
  expect(renderings()).toBe(1)
})

test("a device with shortcuts of its own has a page of its own", async () => {
  const [mac, other] = [await get({ "user-agent": MAC }), await get()]
  expect([mac.text.includes("Macintosh"), other.text.includes("Macintosh")]).toEqual([true, false])
})

test.each([
  ["a session", { cookie: "svcd-session=a" }],
  ["a theme", { cookie: "color_theme=dark" }],
  ["an Authorization", { authorization: "Bearer a" }],
  ["Next's own header", { rsc: "1" }],
  ["a part of Next's tree", { "next-router-state-tree": "a" }],
])("a request with %s is passed on", async (_with, headers: Record<string, string>) => {
  await get()
  expect((await get(headers)).text).toBe("own")
  expect(renderings()).toBe(1)
})

test.each([{ path: "/status?a" }, { path: "/status/" }, { path: "/" }, { method: "POST" }, { method: "HEAD" }])(
  "%o is passed on",
  async (options) => {
    expect((await get({}, options)).of("content-encoding")).toBe("")
    expect(renderings()).toBe(0)
  },
)

test.each([
  ["a cookie", (response: ServerResponse) => response.writeHead(200, { "set-cookie": "a=1" }).end("kept")],
  ["another status", (response: ServerResponse) => response.writeHead(500).end("kept")],
  ["a cut", (response: ServerResponse) => void response.destroy()],
])("a response with %s is not kept, and its request is passed on", async (_with, fail) => {
  respond = (_headers, response) => void fail(response)
  expect([(await get()).text, (await get()).text]).toEqual(["own", "own"])
  respond = show
  expect((await get()).text).toContain("<script")
})

test("a page of over a second is rendered again meanwhile, and one of over five seconds is not sent", async () => {
  const numberAt = async (at: number) => {
    ms = at
    return /<\/script>(\d+) /.exec((await get()).text)?.[1]
  }
  expect([await numberAt(1_000), await numberAt(1_999)]).toEqual(["1", "1"])
  expect(await numberAt(2_000)).toBe("1")
  await expect.poll(() => numberAt(2_001)).toBe("2")
  expect(await numberAt(7_000)).toBe("3")
})

test("the page is compressed for clients that accept it", async () => {
  const encodingFor = async (accepted: string) => (await get({ "accept-encoding": accepted })).of("content-encoding")
  for (const accepted of ["gzip", "br, gzip;q=0.5", "GZIP"])
    expect([accepted, await encodingFor(accepted)]).toEqual([accepted, "gzip"])
  for (const accepted of ["identity", "gzip;q=0", "br, gzip; q=0.0", "xgzip"])
    expect([accepted, await encodingFor(accepted)]).toEqual([accepted, ""])
})
