import { EventEmitter } from "node:events"
import type * as http from "node:http"
import type { Duplex } from "node:stream"
import type { Handler } from "@/lib/server/api/route"
import type { Env } from "@/lib/server/platform/env"

export interface Console {
  handle: Handler
  /** While developing, passes the server's WebSocket upgrades for page reloads on to Next. */
  forwardReloads?(server: http.Server): void
  /** Closes the forwarded sockets, which would keep the server open. */
  closeReloads?(): void
  close(): Promise<void>
}

/** Prepares Next in this process for the pages in `root`, the folder of the project. */
export async function openConsole(env: Env, root: string): Promise<Console> {
  const { default: next } = await import("next")
  // Next adds its upgrade listener to this emitter. On the real server it would answer every upgrade.
  const reload = new EventEmitter()
  const sockets = new Set<Duplex>()
  const app = next({
    dev: env.isDevelopment,
    hostname: env.HOST,
    port: env.PORT,
    dir: root,
    httpServer: reload as http.Server,
  })
  await app.prepare()
  return {
    handle: app.getRequestHandler(),
    forwardReloads: (server) => {
      // Without a listener, Node handles an upgrade request like any other.
      if (!env.isDevelopment) return
      server.on("upgrade", (request, socket, head) => {
        if (!request.url?.startsWith("/_next/") || reload.listenerCount("upgrade") === 0) return socket.destroy()
        sockets.add(socket)
        socket.on("close", () => sockets.delete(socket))
        reload.emit("upgrade", request, socket, head)
      })
    },
    closeReloads: () => {
      for (const socket of sockets) socket.destroy()
    },
    close: () => app.close(),
  }
}
