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

/** Raw deflate as base64url. */
export async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const packed = streamOf(bytes).pipeThrough(new CompressionStream("deflate-raw"))
  return toBase64Url(new Uint8Array(await new Response(packed).arrayBuffer()))
}

/** What `deflate` packed; null for anything else. Stops unpacking beyond `mostBytes`: a few bytes may hold gigabytes. */
export async function inflate(text: string, mostBytes: number): Promise<Uint8Array<ArrayBuffer> | null | "too_large"> {
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
      if (length > mostBytes) {
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
