import { createHmac } from "node:crypto"
import { EventEmitter } from "node:events"
import { readFileSync } from "node:fs"
import type * as http from "node:http"
import path from "node:path"
import type { Duplex } from "node:stream"
import type { OwnsAction } from "@/lib/server/api/action-map"
import type { ConsoleHandler, Handler } from "@/lib/server/api/route"
import { type Env, setForLibrary } from "@/lib/server/platform/env"
import { brotliFiles } from "./brotli-files"

export interface Console {
  handle: ConsoleHandler
  /** Whether a page has a server action. Next checks it while developing. */
  ownsAction?: OwnsAction
  /** False while the process that renders pages restarts. */
  readonly isUp: boolean
  /** While developing, passes the server's WebSocket upgrades for page reloads on to Next. */
  forwardReloads?(server: http.Server): void
  /** Closes the forwarded sockets, which would keep the server open. */
  closeReloads?(): void
  close(): Promise<void>
}

/** Next itself, which renders whatever it gets. */
interface NextConsole extends Console {
  handle: Handler
}

function builtConfig(root: string): string {
  const files = readFileSync(path.join(root, ".next/required-server-files.json"), "utf8")
  return JSON.stringify((JSON.parse(files) as { config: object }).config)
}

/**
 * Prepares Next in this process for the pages in `root`, the folder of the project. What Next encrypts into a page is readable
 * by every console with the same `AUTH_SECRET`.
 */
export async function openConsole(env: Env, root: string): Promise<NextConsole> {
  const key = createHmac("sha256", env.AUTH_SECRET ?? "").update("server actions")
  setForLibrary("NEXT_SERVER_ACTIONS_ENCRYPTION_KEY", key.digest("base64"))
  // As in Next's standalone servers: the built configuration, so that none is compiled at the start.
  if (!env.isDevelopment) setForLibrary("__NEXT_PRIVATE_STANDALONE_CONFIG", builtConfig(root))
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
  const render = app.getRequestHandler()
  const chooseFile = env.isDevelopment ? () => {} : brotliFiles(root)
  return {
    handle: (request, response) => {
      chooseFile(request, response)
      return render(request, response)
    },
    isUp: true,
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
