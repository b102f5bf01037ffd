/** Attacks a service on this machine: `attack.ts NAME PORT KEY MS`. Ends by itself, with everything that it opened. */
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { newSecret } from "../../lib/server/keys/secret"

const [name = "", port = "", key = "", ms = ""] = process.argv.slice(2)
const endsAt = performance.now() + Number(ms)
const isOver = (): boolean => performance.now() > endsAt
const sockets = new Set<Socket>()

/** Opens a connection and ignores its errors. */
async function open(): Promise<Socket> {
  const socket = connect(Number(port), "127.0.0.1")
  sockets.add(socket)
  socket.on("error", () => {})
  socket.on("close", () => sockets.delete(socket))
  await once(socket, "connect").catch(() => {})
  return socket
}

const head = (line: string, headers: string[] = []) =>
  [`${line} HTTP/1.1`, "host: localhost", ...headers, "", ""].join("\r\n")
/** A session cookie of the right form that belongs to nobody. */
const COOKIE = `cookie: svcd-session=${"a".repeat(43)}`

/** Resolves at the next bytes, at the close of the connection, or after 2 s. */
function firstBytes(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      socket.off("data", end).off("close", end)
      resolve()
    }
    const timer = setTimeout(end, 2_000)
    socket.on("data", end).on("close", end)
  })
}

/** Keeps `count` clients busy. Each sends, waits for the first bytes or 2 s, and sends again on a connection that is open. */
async function flood(count: number, data: () => string | Buffer): Promise<void> {
  const client = async () => {
    let socket = await open()
    while (!isOver()) {
      if (socket.destroyed) socket = await open()
      socket.resume()
      socket.write(data())
      await firstBytes(socket)
    }
  }
  await Promise.all(Array.from({ length: count }, client))
}

/** Sends requests at a constant rate on `count` connections that are kept open, one after the other. */
async function pace(count: number, perSecond: number, data: () => string): Promise<void> {
  const held = await Promise.all(Array.from({ length: count }, open))
  const startedAt = performance.now()
  for (let sent = 0; !isOver(); await sleep(10))
    for (; sent < ((performance.now() - startedAt) / 1_000) * perSecond; sent++) {
      const at = sent % count
      if (held[at]?.destroyed) held[at] = await open()
      held[at]?.resume().write(data())
    }
}

/** Opens `count` connections and sends `first` on each, then `more` every second. Reads nothing. */
async function hold(count: number, first: string, more = ""): Promise<void> {
  const held = await Promise.all(Array.from({ length: count }, open))
  for (const socket of held) socket.pause()
  for (const socket of held) if (first) socket.write(first)
  while (!isOver()) {
    await sleep(1_000)
    if (more) for (const socket of held) if (!socket.destroyed) socket.write(more)
  }
}

const ACTION = Buffer.from(`[${"{},".repeat(349_524)}{}]`)
const LARGE = Buffer.from(
  `{"model":"svc-decider-latest","state":"${"a".repeat(29_000_000)}","questions":{"q":{"type":"noul","instructions":"x"}}}`,
)
const post = (path: string, body: Buffer, headers: string[]) =>
  Buffer.concat([Buffer.from(head(`POST ${path}`, [...headers, `content-length: ${body.length}`])), body])
const origin = `origin: http://localhost:${port}`

const ATTACKS: Record<string, () => Promise<void>> = {
  "pipelined /": () => flood(4, () => head("GET /").repeat(1_000)),
  "pipelined /docs": () => flood(4, () => head("GET /docs").repeat(1_000)),
  "never read": () => hold(100, head("GET /docs").repeat(200)),
  slowloris: () => hold(500, "GET / HTTP/1.1\r\nhost: localhost\r\n", "x-a: b\r\n"),
  "header flood": () => flood(16, () => head("GET /", Array<string>(3_000).fill("a:b"))),
  "cookie flood": () => flood(32, () => head("GET /sign-in", [`cookie: ${"a=b; ".repeat(3_000)}`])),
  "huge action": () => flood(8, () => post("/keys", ACTION, [origin, `next-action: ${"4".repeat(42)}`])),
  "action of 60 kB": () =>
    flood(16, () =>
      post("/keys", Buffer.from(`[${"{},".repeat(20_000)}{}]`), [origin, COOKIE, `next-action: ${"4".repeat(42)}`]),
    ),
  "RSC flood": () => flood(64, () => head(`GET /models?_rsc=${Math.random()}`, ["rsc: 1"])),
  "page flood": () => flood(64, () => head("GET /sign-in")),
  "28 MiB x 16": () =>
    flood(16, () => post("/v1/decisions", LARGE, [`authorization: Bearer ${key}`, "content-type: application/json"])),
  "WebSocket upgrades": () =>
    flood(32, () =>
      head("GET /", [
        "connection: Upgrade",
        "upgrade: websocket",
        "sec-websocket-version: 13",
        "sec-websocket-key: YQ==",
      ]),
    ),
  // Each has the right form and checksum, so only the database can refuse it.
  "forged keys": () =>
    pace(32, 500, () =>
      post("/v1/decisions", Buffer.from("{}"), [`authorization: Bearer ${newSecret("svcd_").token}`]).toString(),
    ),
  "HTTP/2 preface": () => flood(32, () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  "2,000 idle sockets": () => hold(2_000, ""),
}

if (name === "list") console.log(JSON.stringify(Object.keys(ATTACKS)))
else {
  console.log("attacking")
  await ATTACKS[name]?.()
  for (const socket of sockets) socket.destroy()
  console.log("ended")
}
