import * as net from "node:net"

export interface RawResponse {
  status: number
  headers: Record<string, string>
  body: string
}

export class RawConnection {
  readonly socket: net.Socket
  /** Resolves when the connection is closed, also by a reset. */
  readonly closed: Promise<unknown>
  #received = ""

  constructor(url: string) {
    this.socket = net.connect(Number(new URL(url).port), "127.0.0.1")
    this.socket.on("data", (chunk) => {
      this.#received += chunk.toString("latin1")
    })
    this.socket.on("error", () => {})
    // `once` of node:events would reject when a reset precedes the close.
    this.closed = new Promise((resolve) => this.socket.once("close", resolve))
  }

  /** Decoded as Latin-1, one character for each byte. */
  get received(): string {
    return this.#received
  }

  async write(data: string | Uint8Array): Promise<void> {
    await new Promise<void>((resolve) => this.socket.write(data, () => resolve()))
  }

  /** Returns the responses so far, including status 100. The body of the last one may be incomplete. */
  responses(): RawResponse[] {
    const responses: RawResponse[] = []
    for (let rest = this.#received; rest; ) {
      const [head = "", ...after] = rest.split("\r\n\r\n")
      if (after.length === 0) break
      const [line = "", ...lines] = head.split("\r\n")
      const headers = Object.fromEntries(
        lines.map((text) => [text.slice(0, text.indexOf(":")).toLowerCase(), text.slice(text.indexOf(":") + 1).trim()]),
      )
      const tail = after.join("\r\n\r\n")
      const length = Number(headers["content-length"] ?? 0)
      responses.push({ status: Number(line.split(" ")[1]), headers, body: tail.slice(0, length) })
      if (tail.length < length) break
      rest = tail.slice(length)
    }
    return responses
  }

  async awaitResponses(count = 1, withinMs = 12_000): Promise<RawResponse[]> {
    const until = Date.now() + withinMs
    while (this.responses().length < count) {
      if (Date.now() > until)
        throw new Error(`Received ${this.responses().length} of ${count} responses: ${this.#received}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    return this.responses()
  }
}

/** Sends a request on a connection of its own, and returns the first response. */
export async function exchange(url: string, request: string | Uint8Array): Promise<RawResponse> {
  const connection = new RawConnection(url)
  await connection.write(request)
  const [answer] = await connection.awaitResponses()
  connection.socket.destroy()
  if (!answer) throw new Error("no answer")
  return answer
}

export const postHead = (headers: Record<string, string | number>): string =>
  [
    "POST /v1/decisions HTTP/1.1",
    ...Object.entries({ host: "x", "content-type": "application/json", ...headers }).map(([k, v]) => `${k}: ${v}`),
    "",
    "",
  ].join("\r\n")
