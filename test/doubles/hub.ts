import { createHash } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { pipeline, Readable } from "node:stream"
import { endServer, listen } from "@/test/listen"

export interface HubDouble {
  url: string
  /** The content of each file of main by its path. */
  files: Map<string, Buffer>
  /** The commit of main: 40 hexadecimal digits. */
  main: string
  /** Moves main to another commit. The files of the earlier one stay available under it. */
  move(commit: string, files: Record<string, Buffer>): void
  /** The `Range` of each download that was requested, or "all". */
  downloads: string[]
  /** The closed ranges that were requested, such as "bytes=0-9". */
  reads: string[]
  /** Ends the connections of the next downloads, one for each entry, after this many bytes. */
  cuts: number[]
  /** What the list says instead of the real size or hash. */
  lie: { size?: number; sha256?: string }
  /** Whether the list has sizes only, as for files that are in Git itself. */
  listsNoHash: boolean
  ignoresRange: boolean
  /** Returns the status of a reply without an end, or null for an ordinary reply. */
  endless: (pathname: string) => number | null
  /** The first bytes of the next reply without an end. Zeros follow. */
  beginning: Buffer
  /** How many bytes of replies without an end were written. */
  flooded: number
  stop(): Promise<void>
}

function list(hub: HubDouble, response: ServerResponse, files: Map<string, Buffer>): void {
  const entries = [...files].map(([path, content]) => {
    const oid = hub.lie.sha256 ?? createHash("sha256").update(content).digest("hex")
    const size = hub.lie.size ?? content.length
    return hub.listsNoHash ? { type: "file", path, size } : { type: "file", path, size: 134, lfs: { oid, size } }
  })
  response.setHeader("content-type", "application/json")
  response.end(JSON.stringify([{ type: "file", path: "README.md", size: 3 }, ...entries]))
}

function resolve(hub: HubDouble, request: IncomingMessage, response: ServerResponse, content: Buffer): void {
  const range = hub.ignoresRange ? undefined : request.headers.range
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? []
  if (first !== undefined) {
    hub.reads.push(request.headers.range ?? "")
    if (range) return void response.writeHead(206).end(content.subarray(Number(first), Number(last) + 1))
    return void response.writeHead(200, { "content-length": content.length }).end(content)
  }
  hub.downloads.push(request.headers.range ?? "all")
  const start = range ? Number(/^bytes=(\d+)-$/.exec(range)?.[1]) : 0
  response.writeHead(range ? 206 : 200, { "content-length": content.length - start })
  const cut = hub.cuts.shift()
  if (cut === undefined) return void response.end(content.subarray(start))
  response.write(content.subarray(start, start + cut), () => response.destroy())
}

/** A reply without an end stops here, so that a test of a client that reads it whole fails instead of exhausting the memory. */
const FLOOD_BYTES = 256 * 1024 * 1024
const ZEROS = Buffer.alloc(65_536)

function flood(hub: HubDouble, response: ServerResponse, status: number): void {
  function* content() {
    yield hub.beginning
    hub.beginning = Buffer.alloc(0)
    for (let sent = 0; sent < FLOOD_BYTES; sent += ZEROS.length) {
      hub.flooded += ZEROS.length
      yield ZEROS
    }
  }
  response.writeHead(status)
  // A client that closes the connection is expected.
  pipeline(Readable.from(content(), { highWaterMark: 1 }), response, () => {})
}

/** Starts a double of a model hub with one repository, `owner/model`, modelled on the hub's documentation. */
export async function startHub(): Promise<HubDouble> {
  const moved = new Map<string, Map<string, Buffer>>()
  const server = createServer((request, response) => {
    const pathname = decodeURIComponent(new URL(request.url ?? "", "http://hub").pathname)
    const [, commit = "", file] =
      /^(?:\/api\/models)?\/owner\/model\/(?:tree|resolve)\/([0-9a-f]{40})(?:\/(.*))?$/.exec(pathname) ?? []
    const files = commit === hub.main ? hub.files : moved.get(commit)
    const content = files?.get(file ?? "")
    const endless = hub.endless(pathname)
    if (endless !== null) flood(hub, response, endless)
    else if (pathname === "/api/models/owner/model/revision/main") response.end(JSON.stringify({ sha: hub.main }))
    else if (files && pathname.startsWith("/api/")) list(hub, response, files)
    else if (content) resolve(hub, request, response, content)
    else response.writeHead(404).end()
  })
  const hub: HubDouble = {
    url: await listen(server),
    files: new Map(),
    main: "1".repeat(40),
    move(commit, files) {
      moved.set(hub.main, hub.files)
      hub.main = commit
      hub.files = new Map(Object.entries(files))
    },
    downloads: [],
    reads: [],
    cuts: [],
    lie: {},
    listsNoHash: false,
    ignoresRange: false,
    endless: () => null,
    beginning: Buffer.alloc(0),
    flooded: 0,
    stop: () => endServer(server),
  }
  return hub
}
