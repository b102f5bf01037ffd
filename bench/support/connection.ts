import { once } from "node:events"
import { connect, type Socket } from "node:net"

const HEAD_END = "\r\n\r\n"
const LAST_CHUNK = "0\r\n\r\n"

/** Returns whether `text` is a complete HTTP/1.1 response, with a length or chunked. Requests are not pipelined. */
function isComplete(text: string): boolean {
  const head = text.indexOf(HEAD_END)
  if (head < 0) return false
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, head))?.[1]
  return length === undefined ? text.endsWith(LAST_CHUNK) : text.length >= head + HEAD_END.length + Number(length)
}

/**
 * One keep-alive connection that sends prepared requests and waits for the end of each response. It avoids an HTTP client's
 * overhead, because the load of many thousand requests per second shares one core with the engine.
 */
export class Connection {
  #received = ""
  #waiting: { resolve(status: number): void; reject(error: Error): void } | null = null

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true).setEncoding("latin1")
    socket.on("data", (text: string) => this.#read(text))
    socket.on("error", (error) => this.#waiting?.reject(error))
    socket.on("close", () => this.#waiting?.reject(new Error("the connection was closed")))
  }

  static async open(port: number): Promise<Connection> {
    const socket = connect(port, "127.0.0.1")
    await once(socket, "connect")
    return new Connection(socket)
  }

  /** Sends one request and resolves to its status once the response is complete. */
  send(request: string | Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.socket.write(request)
    })
  }

  close(): void {
    this.#waiting = null
    this.socket.destroy()
  }

  #read(text: string): void {
    this.#received += text
    if (!isComplete(this.#received)) return
    const status = Number(this.#received.slice(9, 12))
    this.#received = ""
    const waiting = this.#waiting
    this.#waiting = null
    waiting?.resolve(status)
  }
}

/** Returns the bytes of a `POST` request with a JSON body. */
export function postOf(path: string, body: string | Buffer, headers: Record<string, string> = {}): Buffer {
  const lines = Object.entries({
    host: "127.0.0.1",
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n`), Buffer.from(body)])
}
