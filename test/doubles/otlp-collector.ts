import * as http from "node:http"
import { buffer } from "node:stream/consumers"
import { listen } from "../listen"

interface SentSpan {
  traceId: string
  spanId: string
  /** Empty for a span without a parent. */
  parentId: string
  name: string
}

export interface OtlpCollector {
  url: string
  /** The bodies of all exports. */
  bodies: Buffer[]
  headers: http.IncomingHttpHeaders[]
  spans(): SentSpan[]
}

/** Reads the fields of a Protocol Buffers message that have a length: messages, strings and bytes. */
function fieldsOf(message: Buffer): [field: number, value: Buffer][] {
  const fields: [number, Buffer][] = []
  let at = 0
  const varint = () => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = message.readUInt8(at++)
      value += (byte & 127) * 2 ** shift
      if (byte < 128) return value
    }
  }
  while (at < message.length) {
    const tag = varint()
    const type = tag & 7
    if (type === 0) varint()
    else if (type === 2) {
      const length = varint()
      fields.push([tag >> 3, message.subarray(at, at + length)])
      at += length
    } else at += type === 1 ? 8 : 4
  }
  return fields
}

const all = (message: Buffer, field: number) =>
  fieldsOf(message).flatMap(([at, value]) => (at === field ? [value] : []))

/** Reads ExportTraceServiceRequest.resource_spans.scope_spans.spans. */
function spansOf(body: Buffer): SentSpan[] {
  const spans = all(body, 1).flatMap((resource) => all(resource, 2).flatMap((scope) => all(scope, 2)))
  return spans.map((span) => ({
    traceId: all(span, 1)[0]?.toString("hex") ?? "",
    spanId: all(span, 2)[0]?.toString("hex") ?? "",
    parentId: all(span, 4)[0]?.toString("hex") ?? "",
    name: all(span, 5)[0]?.toString() ?? "",
  }))
}

/** Starts a collector that keeps what it receives. With `silent`, it accepts connections and never responds. */
export async function startCollector({ silent = false } = {}): Promise<OtlpCollector> {
  const bodies: Buffer[] = []
  const headers: http.IncomingHttpHeaders[] = []
  const server = http.createServer(async (request, response) => {
    headers.push(request.headers)
    bodies.push(await buffer(request))
    if (!silent) response.writeHead(200, { "content-type": "application/x-protobuf" }).end()
  })
  const url = await listen(server)
  return { url, bodies, headers, spans: () => bodies.flatMap(spansOf) }
}
