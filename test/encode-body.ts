import zlib, { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from "node:zlib"
import { compress } from "@bokuweb/zstd-wasm"
import { decodeBounded } from "@/lib/server/api/coding/decode-bounded"

/** What Node 22.15 and later have. */
const { zstdCompressSync } = zlib as { zstdCompressSync?(body: Buffer): Buffer }

// Loads the encoder as well, where Node has none: one instance per process.
await decodeBounded("zstd", Buffer.alloc(0), 1)

const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** Encodes a body as clients do, by the `Content-Encoding`. */
export const ENCODERS: Record<"zstd" | "gzip" | "deflate" | "br", (body: Buffer) => Buffer> = {
  zstd: zstdCompressSync ?? ((body) => Buffer.from(compress(body, 3))),
  gzip: (body) => gzipSync(body),
  deflate: (body) => deflateSync(body),
  br: (body) => brotliCompressSync(body, quality),
}

/** The same without the wrapper of RFC 1950, which some clients leave out. */
export const encodeRaw = (body: Buffer): Buffer => deflateRawSync(body)
