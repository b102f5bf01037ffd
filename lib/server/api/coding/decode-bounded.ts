import zlib from "node:zlib"
import type { Coding } from "./content-coding"

/** The decoded bytes, or why there are none. */
export type Decoded = Uint8Array<ArrayBuffer> | "too_large" | "malformed"

type Decode = (encoded: Uint8Array, most: number) => Uint8Array<ArrayBuffer>

/** What Node 22.15 and later have. */
interface ZstdOfNode {
  zstdDecompressSync?(
    encoded: Uint8Array,
    options: { maxOutputLength: number; params: Record<number, number> },
  ): Buffer<ArrayBuffer>
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
  if (zstdDecompressSync)
    return (encoded, maxOutputLength) => zstdDecompressSync(encoded, { maxOutputLength, params: WINDOW_LOG_MAX })
  const { init, decompress } = await import("@bokuweb/zstd-wasm")
  const decode: Decode = (encoded, most) =>
    decompress(Buffer.concat([EMPTY_FRAME, encoded]), { defaultHeapSize: most }) as Uint8Array<ArrayBuffer>
  // A second `init` in a process, where another copy of this module decodes, would mix the memories of two instances.
  if (!canDecode(decode)) await init()
  return decode
}

function canDecode(decode: Decode): boolean {
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
    return decode?.(encoded, most) ?? "malformed"
  } catch (error) {
    return isTooLarge(error) ? "too_large" : "malformed"
  }
}
