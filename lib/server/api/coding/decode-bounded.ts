import zlib from "node:zlib"
import type { Coding } from "./content-coding"

/** The decoded bytes, or why there are none. */
export type Decoded = Bytes | "too_large" | "malformed"

type Bytes = Uint8Array<ArrayBuffer>
type Decode = (encoded: Uint8Array, most: number) => Bytes | Promise<Bytes>

/** What Node 22.15 and later have. `bytesWritten` is how many encoded bytes were read. */
interface ZstdOfNode {
  zstdDecompressSync?(
    encoded: Uint8Array,
    options: { maxOutputLength: number; params: Record<number, number>; info: true },
  ): { buffer: Buffer<ArrayBuffer>; engine: { bytesWritten: number } }
}

const isZlibWrapped = (encoded: Uint8Array): boolean => ((encoded[0] ?? 0) & 0x0f) === 8

const DECODERS: Record<Exclude<Coding, "zstd">, Decode> = {
  gzip: (encoded, maxOutputLength) => zlib.gunzipSync(encoded, { maxOutputLength }),
  // Some clients leave out the wrapper that RFC 9110 asks for.
  deflate: (encoded, maxOutputLength) =>
    (isZlibWrapped(encoded) ? zlib.inflateSync : zlib.inflateRawSync)(encoded, { maxOutputLength }),
  br: (encoded, maxOutputLength) => zlib.brotliDecompressSync(encoded, { maxOutputLength }),
}

/** A frame without content and without a declared size. Behind it, the decoder believes no size that a body declares. */
const EMPTY_FRAME = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0, 1, 0, 0])
/** `ZSTD_d_windowLogMax`: 32 MiB, more than any body that may be decoded needs. */
const WINDOW_LOG_MAX = { 100: 25 }

async function zstdDecoder(): Promise<Decode> {
  const { zstdDecompressSync } = zlib as ZstdOfNode
  if (!zstdDecompressSync) return zstdOfWasm()
  return async (encoded, maxOutputLength) => {
    const options = { maxOutputLength, params: WINDOW_LOG_MAX, info: true } as const
    const { buffer, engine } = zstdDecompressSync(encoded, options)
    // Node reads the first frame only.
    return engine.bytesWritten < encoded.length ? (await zstdOfWasm())(encoded, maxOutputLength) : buffer
  }
}

async function zstdOfWasm(): Promise<Decode> {
  const { init, decompress } = await import("@bokuweb/zstd-wasm")
  const decode = (encoded: Uint8Array, most: number) =>
    decompress(Buffer.concat([EMPTY_FRAME, encoded]), { defaultHeapSize: most }) as Bytes
  // A second `init` in a process, where another copy of this module decodes, would mix the memories of two instances.
  if (!canDecode(decode)) await init()
  return decode
}

function canDecode(decode: (encoded: Uint8Array, most: number) => Bytes): boolean {
  try {
    return decode(EMPTY_FRAME, 1).length === 0
  } catch {
    return false
  }
}

let zstd: Promise<Decode> | null = null

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && (("code" in error && error.code === "ERR_BUFFER_TOO_LARGE") || / -70$/.test(error.message))

/** Decodes a body on this thread into at most `most` bytes. Never takes much more memory than those. */
export async function decodeBounded(coding: Coding, encoded: Uint8Array, most: number): Promise<Decoded> {
  if (coding === "zstd") zstd ??= zstdDecoder()
  const decode = coding === "zstd" ? await zstd : DECODERS[coding]
  try {
    return (await decode?.(encoded, most)) ?? "malformed"
  } catch (error) {
    return isTooLarge(error) ? "too_large" : "malformed"
  }
}
