import { execFile, execFileSync } from "node:child_process"
import { once } from "node:events"
import { appendFile, readFile } from "node:fs/promises"
import type { IncomingMessage } from "node:http"
import { type RequestOptions, request } from "node:https"
import path from "node:path"
import { connect, type TLSSocket } from "node:tls"
import { afterAll, expect, test, vi } from "vitest"
import { startCaddy, startHaproxy, startNginx } from "@/test/balancer"
import { testRuntime } from "@/test/database"
import { printFigure } from "@/test/figures"
import { freePort } from "@/test/free-port"
import { insertFastKey } from "@/test/insert-rows"
import { startServer } from "@/test/server-process"
import { tempFolder } from "@/test/temp-folder"

const { databaseUrl } = await testRuntime()
const port = await freePort()
const server = await startServer(databaseUrl, { PORT: String(port), TRUSTED_PROXY_HOPS: "1" })
const { token } = await insertFastKey(1_000_000_000_000n)

const folder = tempFolder()
const pem = path.join(folder, "both.pem")
const certificate = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
execFileSync("openssl", [...certificate, "-keyout", path.join(folder, "key.pem"), "-out", pem], { stdio: "ignore" })
await appendFile(pem, await readFile(path.join(folder, "key.pem")))

const nginx = await startNginx([port, port], undefined, { pem })
const haproxy = await startHaproxy([port, port], undefined, { pem })
const caddy = await startCaddy(port)
const PROXIES = [
  ["nginx", nginx.url],
  ["HAProxy", haproxy.url],
  ["Caddy", caddy.url],
] as const
const opened: TLSSocket[] = []

afterAll(async () => {
  for (const socket of opened) socket.destroy()
  await Promise.all([nginx.stop(), haproxy.stop(), caddy.stop()])
  server.signal("SIGTERM")
  await server.ended
})

interface Sent extends RequestOptions {
  body?: string | Buffer
}

async function send(url: string, where: string, { body = "", ...options }: Sent = {}) {
  const sent = request(url + where, { rejectUnauthorized: false, agent: false, ...options })
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.on("response", resolve)
    // A refused body may be cut off before its response is read.
    sent.on("error", (error) => setTimeout(reject, 2_000, error))
    sent.end(body)
  })
  response.setEncoding("utf8")
  let text = ""
  for await (const chunk of response) text += chunk
  return { status: response.statusCode, text }
}

await vi.waitFor(
  async () => {
    for (const [, url] of PROXIES) expect((await send(url, "/healthz")).status).toBe(200)
  },
  { timeout: 120_000, interval: 200 },
)

const HEAD = "POST /v1/decisions HTTP/1.1\r\nhost: localhost\r\n"
const KINDS = {
  "headers that never end": `${HEAD}x-slow: `,
  "bodies without a key": `${HEAD}content-length: 5000\r\n\r\n{`,
  "bodies with a key": `${HEAD}authorization: Bearer ${token}\r\ncontent-length: 5000\r\n\r\n{`,
}

/** Opens a connection that sends one more byte every two seconds, for ever. Resolves with the seconds until it is closed. */
async function sendSlowly(url: string, begin: string): Promise<number> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), servername: "localhost", rejectUnauthorized: false })
  opened.push(socket)
  const start = performance.now()
  const closed = once(socket, "close")
  socket.on("error", () => {})
  socket.resume()
  socket.write(begin)
  const more = setInterval(() => socket.write("x"), 2_000)
  await closed
  clearInterval(more)
  return Math.round((performance.now() - start) / 1_000)
}

test.concurrent.each(PROXIES)(
  "%s closes slow clients as the service does, and serves others meanwhile",
  async (name, url) => {
    const slow = Object.entries(KINDS).map(async ([kind, begin]) => {
      const seconds = await Promise.all(Array.from({ length: 20 }, () => sendSlowly(url, begin)))
      printFigure(`${name}, 20 ${kind}: closed after at most s`, Math.max(...seconds))
    })
    expect((await send(url, "/v1/models", { headers: { authorization: `Bearer ${token}` } })).status).toBe(200)
    await Promise.all(slow)
  },
)

test.each(PROXIES)("a body above the limit gets the API's 413 through %s", async (_, url) => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const body = Buffer.alloc(29 * 1024 * 1024 + 1, 32)
  const { status, text } = await send(url, "/v1/decisions", { method: "POST", headers, body })
  expect([status, JSON.parse(text).error.code]).toEqual([413, "request_too_large"])
})

/** Returns what `openssl s_client` reports of a handshake. */
const handshake = (url: string, ...options: string[]) =>
  new Promise<string>((resolve) => {
    const args = ["s_client", "-connect", new URL(url).host, "-servername", "localhost", ...options]
    const child = execFile("openssl", args, (_error, stdout, stderr) => resolve(stdout + stderr))
    child.stdin?.end()
  })

test.each(PROXIES)("%s has HTTP/2, no TLS below 1.2, and no suite without forward secrecy", async (_, url) => {
  expect(await handshake(url, "-alpn", "h2")).toMatch(/New, TLSv1\.3.*ALPN protocol: h2/s)
  expect(await handshake(url, "-tls1_2")).toMatch(/New, TLSv1\.2, Cipher is ECDHE-/)
  for (const old of ["-tls1", "-tls1_1"])
    expect(await handshake(url, old, "-cipher", "ALL@SECLEVEL=0")).toContain("New, (NONE), Cipher is (NONE)")
  for (const suites of ["kRSA", "DHE", "AES128-SHA:AES256-SHA", "3DES"])
    expect(await handshake(url, "-tls1_2", "-cipher", `${suites}@SECLEVEL=0`)).toMatch(
      /Cipher is \(NONE\)|no cipher match/,
    )
})
