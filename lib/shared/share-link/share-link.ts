import { checkRequest } from "@/lib/shared/decisions/check-request"
import { scan } from "@/lib/shared/json/scan"
import { readThresholds, storableThresholds, type Thresholds, thresholdsOf } from "@/lib/shared/runs/thresholds"

/** The contents of a share link. Anybody may have written them, so they are checked when the link is opened. */
export interface Shared {
  requestText: string
  /** Null when the link was made without the answers, or they are not strict JSON. */
  responseText: string | null
  thresholds: Thresholds
}

export type ReadShare = { ok: true; shared: Shared } | { ok: false; why: ShareFault }

/** Why a link cannot be shown. `empty`: it has no fragment. */
export type ShareFault = "empty" | "version" | "damaged" | "too_large" | "not_a_request"

/** Browsers, chat and mail programs cut off longer links. */
export const MAX_FRAGMENT = 100_000
const MAX_BYTES = 4 * 1024 * 1024
const VERSION = "v1."
/** Version 0.1.0 began links with thresholds by `v2.`. */
const KNOWN_VERSION = /^v[12]\./

const toBase64Url = (bytes: Uint8Array): string => {
  let text = ""
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]*$/.test(text)) return null
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (byte) => byte.charCodeAt(0))
  } catch {
    return null
  }
}

const streamOf = (bytes: Uint8Array<ArrayBuffer>): ReadableStream<BufferSource> => new Blob([bytes]).stream()

async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const packed = streamOf(bytes).pipeThrough(new CompressionStream("deflate-raw"))
  return toBase64Url(new Uint8Array(await new Response(packed).arrayBuffer()))
}

/** Returns null for invalid data. Stops at `maxBytes`, because a few bytes can unpack to gigabytes. */
async function inflate(text: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | null | "too_large"> {
  const packed = fromBase64Url(text)
  if (!packed) return null
  const reader = streamOf(packed).pipeThrough(new DecompressionStream("deflate-raw")).getReader()
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      length += value.length
      if (length > maxBytes) {
        await reader.cancel().catch(() => undefined)
        return "too_large"
      }
      pieces.push(new Uint8Array(value))
    }
  } catch {
    return null
  }
  const whole = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

interface Payload {
  request: string
  response: string | null
  thresholds: unknown
}

/** Returns what a fragment holds; null for anything else. A page for visitors reads it, so zod would be most of what that page loads. */
function payloadOf(value: unknown): Payload | null {
  if (typeof value !== "object" || value === null) return null
  const { request, response, thresholds = [], ...others } = value as Record<string, unknown>
  const isText = typeof request === "string" && (response === null || typeof response === "string")
  return isText && Array.isArray(thresholds) && Object.keys(others).length === 0
    ? { request, response, thresholds }
    : null
}

/** Returns a link's fragment without `#`, or null when the contents are too long for a link. */
export async function writeShare({ requestText, responseText, thresholds }: Shared): Promise<string | null> {
  const payload = { request: requestText, response: responseText, thresholds: storableThresholds(thresholds) }
  const bytes = new TextEncoder().encode(JSON.stringify(payload))
  if (bytes.length > MAX_BYTES) return null
  const fragment = VERSION + (await deflate(bytes))
  return fragment.length > MAX_FRAGMENT ? null : fragment
}

/**
 * Reads a fragment. Limits its length and unpacked size, and requires strict JSON and a request that the API would accept.
 * Of the response only the JSON is checked here; `readSharedAnswers` checks the rest.
 */
export async function readShare(fragment: string): Promise<ReadShare> {
  if (fragment === "") return { ok: false, why: "empty" }
  if (fragment.length > MAX_FRAGMENT) return { ok: false, why: "too_large" }
  if (!KNOWN_VERSION.test(fragment)) return { ok: false, why: /^v\d+\./.test(fragment) ? "version" : "damaged" }
  const bytes = await inflate(fragment.slice(VERSION.length), MAX_BYTES)
  if (bytes === "too_large") return { ok: false, why: "too_large" }
  if (bytes === null || !scan(bytes).ok) return { ok: false, why: "damaged" }
  const payload = payloadOf(JSON.parse(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)))
  if (!payload) return { ok: false, why: "damaged" }
  const { request, response } = payload
  const checked = checkRequest(new TextEncoder().encode(request))
  if (!checked.ok) return { ok: false, why: "not_a_request" }
  const thresholds = new Map(thresholdsOf(checked.request.questions, readThresholds(payload.thresholds)))
  const isJson = response !== null && scan(new TextEncoder().encode(response)).ok
  return { ok: true, shared: { requestText: request, responseText: isJson ? response : null, thresholds } }
}
