import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import { freeMemory } from "@/lib/server/platform/free-memory"
import { hasWaiting } from "./pipeline-gate"
import type { TickBudget } from "./tick-budget"

/** How many bytes the parser gets at once, outside of bodies. They hold at most 32 requests. */
const SLICE = 512
/** The same for bodies of unknown length, whose end only the parser finds. */
const CHUNKED_SLICE = 16 * 1024

type Parse = (bytes: Buffer) => void
/** Node's parser, which connections that follow each other share. */
interface Parser {
  execute(bytes: Buffer): number | Error
  /** How many of the latest bytes it took. */
  taken?: number
}
interface ParsedSocket extends Socket {
  /** Node removes it when the connection is closed or no longer speaks HTTP. */
  parser?: Parser | null
  /** True while Node waits until the client has read responses. It does not expect bytes then. */
  _paused?: boolean
}

/** Makes a parser note how many bytes it takes. It stops behind a request with `Upgrade`, and Node would drop the rest. */
function noteTaken(parser: Parser): void {
  const { execute } = parser
  parser.execute = (bytes) => {
    const result = execute.call(parser, bytes)
    parser.taken = typeof result === "number" ? result : bytes.length
    return result
  }
}

/**
 * Gives the bytes of a connection to Node's parser in small slices, and none while the connection is paused. Otherwise Node
 * parses up to 64 KiB in one tick of the event loop, which can hold 2,000 pipelined requests. Each of them gets an error when
 * the connection closes.
 */
class PacedReading {
  readonly #chunks: Buffer[] = []
  /** How much of the first chunk was parsed. */
  #offset = 0
  /** How many of the next bytes are certainly part of a body. */
  #bodyLeft = 0
  #sliceLength = 0
  /** The latest request, if the length of its body is unknown. */
  #chunked: IncomingMessage | null = null
  #isParsing = false
  #tookNothing = false

  constructor(
    private readonly socket: ParsedSocket,
    private readonly parse: Parse,
    private readonly ticks: TickBudget,
    private readonly refuse: () => void,
  ) {}

  add(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.parseRest()
  }

  /** Notes how long the body is that follows these headers. A part of it may be in the slice that is being parsed. */
  began(request: IncomingMessage): void {
    this.#chunked = request.headers["transfer-encoding"] === undefined ? null : request
    this.#bodyLeft = Math.max(0, Number(request.headers["content-length"] ?? 0) - this.#sliceLength)
  }

  parseRest(): void {
    if (this.#isParsing) return
    this.#isParsing = true
    for (let [chunk] = this.#chunks; chunk; [chunk] = this.#chunks) {
      if (!this.socket.parser) this.#chunks.length = 0
      else if (!this.#mayParse()) break
      else this.#parseSliceOf(chunk, this.socket.parser)
    }
    this.#isParsing = false
    if (this.#chunks.length > 0) this.socket.pause()
  }

  #mayParse(): boolean {
    const { socket } = this
    // Node resumes a connection after each request that it parsed.
    if (socket.isPaused() || socket._paused || hasWaiting(socket)) return false
    return this.ticks.mayParse(socket, this.#proceed)
  }

  readonly #proceed = (): void => {
    this.socket.resume()
    this.parseRest()
  }

  #parseSliceOf(chunk: Buffer, parser: Parser): void {
    if (parser.taken === undefined) noteTaken(parser)
    const usual = this.#chunked?.complete === false ? CHUNKED_SLICE : SLICE
    const slice = chunk.subarray(this.#offset, this.#offset + Math.max(usual, this.#bodyLeft))
    this.#bodyLeft = Math.max(0, this.#bodyLeft - slice.length)
    this.#sliceLength = slice.length
    this.parse(slice)
    const { taken = 0 } = parser
    const isTaken = taken > 0 && taken <= slice.length
    // Behind a request with `Upgrade`, Node ignores the parser's errors. The parser may take nothing once, but not again.
    const isStuck = !isTaken && this.#tookNothing
    this.#tookNothing = !isTaken
    if (isStuck) this.refuse()
    if (isTaken || isStuck) this.#offset += isTaken ? taken : slice.length
    if (this.#offset < chunk.length) return
    this.#chunks.shift()
    this.#offset = 0
    // The parser has copied what belongs to bodies.
    freeMemory(chunk)
  }
}

const readings = new WeakMap<Socket, PacedReading>()

/** Paces a connection that Node's server has just accepted. Calls `refuse` for bytes that are not HTTP and that Node ignores. */
export function paceReading(socket: Socket, ticks: TickBudget, refuse: () => void): void {
  // Node's own listener parses. With another one in its place, Node does not bypass the listeners of `data` any more.
  const [parse] = socket.listeners("data") as Parse[]
  if (!parse) return
  const reading = new PacedReading(socket, parse, ticks, refuse)
  readings.set(socket, reading)
  socket.off("data", parse)
  socket.on("data", (chunk: Buffer) => reading.add(chunk))
  socket.on("resume", () => reading.parseRest())
}

/** Reports to the pacing of a request's connection that its headers were parsed. */
export const noteRequest = (request: IncomingMessage): void => readings.get(request.socket)?.began(request)
