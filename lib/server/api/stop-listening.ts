import { readFileSync, readlinkSync } from "node:fs"
import type * as http from "node:http"
import { connect, type Socket } from "node:net"

/** The handle behind a server that listens. Node has no public way to call listen() again on the same socket. */
interface Listener {
  fd: number
  /** Calls listen(2) again, which only changes how many connections may queue. */
  listen(backlog: number): number
}

const BACKLOG = 511
/** After this long the socket closes in any case. Every attempt but the first means that a client connected within microseconds. */
const MAX_MS = 2_000

/** Returns how many connections the kernel has completed and `accept` has not returned. Throws when the system does not say. */
function countQueued({ fd }: Listener): number {
  const inode = /\d+/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[0]
  for (const file of ["/proc/self/net/tcp", "/proc/self/net/tcp6"]) {
    for (const line of readFileSync(file, "latin1").split("\n")) {
      const column = line.trim().split(/\s+/)
      // Of a listening socket, the receive queue counts connections.
      if (column[9] === inode) return Number.parseInt(column[4]?.split(":")[1] ?? "", 16)
    }
  }
  throw new Error("the listening socket is unknown")
}

/**
 * Puts a connection of our own at the end of the queue, and lets no other join. On Linux a queue with more connections than its
 * limit takes no new ones. Their clients repeat the attempt after a second, and are then refused.
 */
async function putLast(server: http.Server, listener: Listener): Promise<{ own: Socket; queued: number }> {
  listener.listen(BACKLOG)
  const { address, port } = server.address() as { address: string; port: number }
  const own = connect({ host: address, port }).on("error", () => {})
  // Node connects in its next tick, before the server can accept anything.
  await new Promise<void>((resolve) => process.nextTick(resolve))
  listener.listen(0)
  return { own, queued: countQueued(listener) }
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
 * Stops accepting connections and resets none. The kernel resets connections that are still queued when a listening socket closes,
 * and a proxy cannot repeat a request that it sent on one. So the socket closes while only our own connection is queued.
 * Other systems than Linux close at once. The callback is that of `server.close`.
 */
export async function stopListening(server: http.Server, onClosed: () => void): Promise<void> {
  const listener = (server as unknown as { _handle: Listener | null })._handle
  const until = performance.now() + MAX_MS
  try {
    while (listener && performance.now() < until) {
      const last = await putLast(server, listener)
      const isSafe = await isOwnLeft(server, last)
      if (isSafe) server.close(onClosed)
      last.own.destroy()
      if (isSafe) return
    }
  } catch {
    // Not Linux, or /proc is hidden.
  }
  server.close(onClosed)
}
