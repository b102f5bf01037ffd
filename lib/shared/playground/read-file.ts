import { faultOfJson } from "./find-fault"
import type { Words } from "./schema"

/** What one request may have (spec.md, "Request limits"). */
const LARGEST_BYTES = 29_360_128

export type ReadFile = { ok: true; words: Words } | { ok: false; message: string }

/** A file as the state: JSON where its name or type says so and it is none but that, else a text. */
export async function readFile(file: File): Promise<ReadFile> {
  if (file.size > LARGEST_BYTES) return { ok: false, message: "The file is larger than a request may be: 28 MiB." }
  const bytes = new Uint8Array(await file.arrayBuffer())
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    const isNamed = /\.json$/i.test(file.name) || file.type === "application/json"
    const isJson = isNamed && faultOfJson(text) === null
    return { ok: true, words: { kind: isJson ? "json" : "text", text } }
  } catch {
    return { ok: false, message: "The file is no text: it has bytes that are not UTF-8." }
  }
}
