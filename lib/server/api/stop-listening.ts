import fs from "node:fs"
import type * as http from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"

/** The handle behind a server that listens. Node has no public way to call listen() again on the same socket. */
interface Listener {
  fd: number
  /** Calls listen(2) again, which only changes how many connections may queue. */
  listen(backlog: number): number
}

const BACKLOG = 511
/** After this long the socket closes in any case. */
const MAX_MS = 2_000

/** The state of a connection whose client the kernel has answered, and whose last packet has not arrived. */
const OPENING = "03"
const OPENING_POLL_MS = 20
/** A client sends its last packet again within 400 ms. One that never does may be a flood. */
const OPENING_MAX_MS = 1_000

interface Queue {
  /** How many connections the kernel has completed and `accept` has not returned. */
  queued: number
  /** Whether the kernel is about to complete another one. */
  isOpening: boolean
}

/** Reads the queue of a listening socket. Throws when the system does not say. */
function readQueue({ fd }: Listener, port: number): Queue {
  const inode = /\d+/.exec(fs.readlinkSync(`/proc/self/fd/${fd}`))?.[0]
  const atPort = `:${port.toString(16).toUpperCase().padStart(4, "0")}`
  const rows = ["/proc/self/net/tcp", "/proc/self/net/tcp6"].flatMap((file) =>
    fs
      .readFileSync(file, "latin1")
      .split("\n")
      .map((line) => line.trim().split(/\s+/)),
  )
  const own = rows.find((column) => column[9] === inode)
  if (!own) throw new Error("the listening socket is unknown")
  return {
    // Of a listening socket, the receive queue counts connections.
    queued: Number.parseInt(own[4]?.split(":")[1] ?? "", 16),
    isOpening: rows.some(([, local, , state]) => local?.endsWith(atPort) && state === OPENING),
  }
}

/**
 * Puts a connection of our own at the end of the queue, and lets no other join. On Linux a queue with more connections than its
 * limit takes no new ones. Their clients repeat the attempt after a second, and are then refused.
 */
async function putLast(server: http.Server, listener: Listener): Promise<Queue & { own: Socket; port: number }> {
  listener.listen(BACKLOG)
  const { address, port } = server.address() as AddressInfo
  const own = connect({ host: address, port }).on("error", () => {})
  // Node connects in its next tick, before the server can accept anything.
  await new Promise<void>((resolve) => process.nextTick(resolve))
  listener.listen(0)
  return { own, port, ...readQueue(listener, port) }
}

/** Resolves when one connection is left in the queue, which is first in, first out. Returns whether it is `own`. */
function isOwnLeft(server: http.Server, { own, queued }: { own: Socket; queued: number }): Promise<boolean> | boolean {
  if (queued <= 1) return queued === 1
  let left = queued
  let sawOwn = false
  return new Promise((resolve) => {
    const end = () => {
      server.off("connection", count)
      clearTimeout(late)
      resolve(left === 1 && !sawOwn)
    }
    const count = ({ remotePort }: Socket) => {
      sawOwn ||= remotePort === own.localPort
      if (--left === 1) end()
    }
    // A process without a free file descriptor accepts nothing.
    const late = setTimeout(end, MAX_MS)
    server.prependListener("connection", count)
  })
}

/**
 * Waits with an open queue until no connection is about to open, at most until a time. The client of one believes that it is
 * connected, and sends again what the full queue refused.
 */
async function letOpen(listener: Listener, port: number, until: number): Promise<void> {
  listener.listen(BACKLOG)
  do await sleep(OPENING_POLL_MS)
  while (readQueue(listener, port).isOpening && performance.now() < until)
}

/**
 * Stops accepting connections and resets none. The kernel resets connections that are still queued when a listening socket closes,
 * and a proxy cannot repeat a request that it sent on one. So the socket closes while only our own connection is queued,
 * and no other is about to open. Other systems than Linux close at once. The callback is that of `server.close`.
 */
export async function stopListening(server: http.Server, onClosed: () => void): Promise<void> {
  const listener = (server as unknown as { _handle: Listener | null })._handle
  const startedAt = performance.now()
  const passed = () => performance.now() - startedAt
  try {
    while (listener && passed() < MAX_MS) {
      const last = await putLast(server, listener)
      const isAwaited = last.isOpening && passed() < OPENING_MAX_MS
      const isSafe = !isAwaited && (await isOwnLeft(server, last))
      if (isSafe) server.close(onClosed)
      last.own.destroy()
      if (isSafe) return
      if (isAwaited) await letOpen(listener, last.port, startedAt + OPENING_MAX_MS)
    }
  } catch {
    // Not Linux, or /proc is hidden.
  }
  server.close(onClosed)
}
