import * as http from "node:http"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { isAppleAgent } from "@/lib/shared/preferences"
import { REQUEST_ID_HEADER } from "@/lib/shared/request-ids"
import { acceptsCoding } from "./accepts-coding"

/** From this age on, a page is rendered again while the old one is sent. */
const FRESH_MS = 1_000
/** No page of this age is sent. */
const MAX_AGE_MS = 5_000
/** How long the console may take to render the page for all. Then each request waits for a page of its own. */
const RENDER_MS = 10_000

const POLICY = "content-security-policy"
/** Headers that ask for another response than the page of a visitor without a session. */
const OWN = /^(?:cookie|authorization|content-length|transfer-encoding|rsc|(?:x-)?next.*)$/
/** Headers that differ between responses, or describe how the console's process sent its response. */
const NOT_KEPT = /^(?:content-(?:length|encoding|security-policy)|transfer-encoding|connection|keep-alive|date)$/

interface Kept {
  text: string
  /** The texts in it and its headers that belong to one response. */
  marks: string[]
  headers: [name: string, value: string | string[]][]
  at: number
}

/** How the console's process is reached. */
interface Renderer {
  socketPath: string
  agent: http.Agent
}

/** Returns the nonce and the request id, which the page contains. */
const marksOf = ({ headers }: http.IncomingMessage): string[] => [
  /'nonce-([^']+)'/.exec(String(headers[POLICY]))?.[1] ?? "",
  String(headers[REQUEST_ID_HEADER] ?? ""),
]

const isOfVisitor = ({ method, url, headers }: http.IncomingMessage): boolean =>
  method === "GET" && url === "/status" && !Object.keys(headers).some((name) => OWN.test(name))

/**
 * Keeps the page `/status` as it is for visitors without a cookie, so that many who ask during an outage get it from memory.
 * No header of a visitor reaches the rendering, and each response gets a nonce and a request id of its own.
 */
export class KeptStatus {
  /** By whether the visitor's device has shortcuts with ⌘. */
  readonly #pages = new Map<boolean, Kept>()
  readonly #rendering = new Map<boolean, Promise<Kept | null>>()

  /** Sends the page if the request is a visitor's for it. Returns false when nothing was sent. */
  async send(request: http.IncomingMessage, response: http.ServerResponse, renderer: Renderer): Promise<boolean> {
    // An empty text would be found everywhere in the page.
    if (!isOfVisitor(request) || marksOf(request).includes("")) return false
    const page = await this.#pageFor(request, renderer)
    if (!page || response.destroyed) return response.destroyed
    await sendPage(page, request, response)
    return true
  }

  async #pageFor(request: http.IncomingMessage, renderer: Renderer): Promise<Kept | null> {
    const isApple = isAppleAgent(request.headers["user-agent"] ?? null)
    const kept = this.#pages.get(isApple)
    const ageMs = kept ? performance.now() - kept.at : Number.POSITIVE_INFINITY
    if (kept && ageMs < FRESH_MS) return kept
    const rendering = this.#rendering.get(isApple) ?? this.#render(isApple, request, renderer)
    return kept && ageMs < MAX_AGE_MS ? kept : rendering
  }

  #render(isApple: boolean, request: http.IncomingMessage, renderer: Renderer): Promise<Kept | null> {
    const rendering = fetchPage(isApple, request, renderer)
      .catch(() => null)
      .then((page) => {
        if (page) this.#pages.set(isApple, page)
        else this.#pages.delete(isApple)
        this.#rendering.delete(isApple)
        return page
      })
    this.#rendering.set(isApple, rendering)
    return rendering
  }
}

/** Renders the page from no header of the request but the nonce and the id. Returns null unless all may see what comes. */
async function fetchPage(
  isApple: boolean,
  request: http.IncomingMessage,
  { socketPath, agent }: Renderer,
): Promise<Kept | null> {
  const at = performance.now()
  const headers = {
    host: "status",
    "user-agent": isApple ? "Macintosh" : "any",
    [POLICY]: String(request.headers[POLICY]),
    [REQUEST_ID_HEADER]: String(request.headers[REQUEST_ID_HEADER]),
  }
  const signal = AbortSignal.timeout(RENDER_MS)
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) =>
    http.get({ socketPath, agent, path: "/status", headers, signal }, resolve).on("error", reject),
  )
  const text = Buffer.concat(await answer.toArray()).toString()
  if (answer.statusCode !== 200 || answer.headers["set-cookie"]) return null
  const kept = Object.entries(answer.headers).filter(([name]) => !NOT_KEPT.test(name))
  return { text, marks: marksOf(request), headers: kept as Kept["headers"], at }
}

async function sendPage(page: Kept, request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const own = marksOf(request)
  const asOwn = (text: string): string =>
    page.marks.reduce((sent, mark, index) => sent.replaceAll(mark, () => own[index] ?? ""), text)
  // The header Link, which preloads fonts, can have the nonce too.
  for (const [name, value] of page.headers)
    response.setHeader(name, typeof value === "string" ? asOwn(value) : value.map(asOwn))
  const text = asOwn(page.text)
  const isSmall = acceptsCoding(request, "gzip")
  const body = isSmall ? await promisify(gzip)(text, { level: 1 }) : Buffer.from(text)
  if (isSmall) response.setHeader("content-encoding", "gzip")
  response.writeHead(200, { "content-length": body.length }).end(body)
}
