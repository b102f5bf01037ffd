import { createServer } from "node:http"
import { connect } from "node:net"
import { listen } from "./listen"

export interface ConnectProxy {
  url: string
  /** The `HOST:PORT` of every tunnel that was requested. */
  targets: string[]
  /** The credentials of every request. Undefined without any. */
  credentials: (string | undefined)[]
  /** Refuses further tunnels with 403. */
  refuses: boolean
}

/** Starts a proxy whose tunnels all lead to one port of this machine, whatever was requested. It stops with the test file. */
export async function connectProxy(port: number): Promise<ConnectProxy> {
  const proxy: ConnectProxy = { url: "", targets: [], credentials: [], refuses: false }
  const server = createServer()
  server.on("connect", ({ url = "", headers }, socket, head) => {
    proxy.targets.push(url)
    proxy.credentials.push(headers["proxy-authorization"])
    if (proxy.refuses) return void socket.end("HTTP/1.1 403 Forbidden\r\n\r\n")
    const target = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n")
      target.write(head)
      target.pipe(socket).pipe(target)
    })
    for (const end of [socket, target]) end.on("error", () => {})
  })
  proxy.url = await listen(server)
  return proxy
}
