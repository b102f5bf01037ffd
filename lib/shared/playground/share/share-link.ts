import { z } from "zod"
import { checkRequest } from "@/lib/shared/decisions/check-request"
import { scan } from "@/lib/shared/json/scan"
import { deflate, inflate } from "./compress"

/** What a link holds: the texts of a request and, if its maker wished, of the response. Both are checked when it is opened. */
export interface Shared {
  requestText: string
  responseText: string | null
}

export type ReadShare = { ok: true; shared: Shared } | { ok: false; why: ShareFault }

/** `empty`: no fragment at all. */
export type ShareFault = "empty" | "version" | "damaged" | "too_large" | "not_a_request"

/** Longer links are cut by browsers, chat and mail programs. */
export const MOST_FRAGMENT = 100_000
const MOST_BYTES = 4 * 1024 * 1024
const VERSION = "v1."

const Payload = z.strictObject({ request: z.string(), response: z.string().nullable() })

/** The fragment of a link, without its `#`; null when it would be too long to be passed on whole. */
export async function writeShare({ requestText, responseText }: Shared): Promise<string | null> {
  const payload = JSON.stringify({ request: requestText, response: responseText })
  const fragment = VERSION + (await deflate(new TextEncoder().encode(payload)))
  return fragment.length > MOST_FRAGMENT ? null : fragment
}

/**
 * Reads a fragment, which anybody may have written: at most so long, and so long unpacked; strict JSON by the API's own
 * scanner; a request that the API would take. The response is only strict JSON here, and shown as far as it fits.
 */
export async function readShare(fragment: string): Promise<ReadShare> {
  if (fragment === "") return { ok: false, why: "empty" }
  if (fragment.length > MOST_FRAGMENT) return { ok: false, why: "too_large" }
  if (!fragment.startsWith(VERSION)) return { ok: false, why: /^v\d+\./.test(fragment) ? "version" : "damaged" }
  const bytes = await inflate(fragment.slice(VERSION.length), MOST_BYTES)
  if (bytes === "too_large") return { ok: false, why: "too_large" }
  if (bytes === null || !scan(bytes).ok) return { ok: false, why: "damaged" }
  const payload = Payload.safeParse(JSON.parse(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)))
  if (!payload.success) return { ok: false, why: "damaged" }
  const { request, response } = payload.data
  if (!checkRequest(new TextEncoder().encode(request)).ok) return { ok: false, why: "not_a_request" }
  const isRead = response !== null && scan(new TextEncoder().encode(response)).ok
  return { ok: true, shared: { requestText: request, responseText: isRead ? response : null } }
}
