import { once } from "node:events"
import * as http from "node:http"
import * as https from "node:https"
import type * as net from "node:net"
import { afterFile } from "./after-file"

/** Returns the address of a server that listens on 127.0.0.1. */
export const urlOf = (server: net.Server): string => `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`

/** Ends a server with all its connections. */
export async function endServer(server: net.Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  if (server instanceof http.Server || server instanceof https.Server) server.closeAllConnections()
  await closed
}

/**
 * Starts a server on 127.0.0.1 until the test file ends, and returns its address. Port 0 takes a free one. Rejects when the port is
 * in use.
 */
export async function listen(server: net.Server, port = 0): Promise<string> {
  await once(server.listen(port, "127.0.0.1"), "listening")
  afterFile(() => void endServer(server))
  return urlOf(server)
}
