import { BadFile } from "./bad-file"

function encodingOf([first, second]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (first === 0xff && second === 0xfe) return "utf-16le"
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8"
}

const linesIn = (text: string): number => text.split("\n").length - 1

/** Returns the part of a text before its first unreadable or NUL character. */
const readablePart = (bytes: Uint8Array, encoding: string): string =>
  new TextDecoder(encoding).decode(bytes).split(/[\ufffd\0]/, 1)[0] ?? ""

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      if (value.length > 0) yield value
    }
  } finally {
    await reader.cancel()
  }
}

/**
 * Yields a file's text in pieces, with `\n` as the only line break and without a byte order mark. UTF-8 is expected; a byte
 * order mark selects UTF-16. Throws `BadFile` with the line of the first byte that does not fit, or of a NUL character.
 */
export async function* decodeText(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null
  let line = 1
  let heldBack = ""
  const checked = (decode: () => string, bytes: Uint8Array, encoding: string): string => {
    try {
      const text = decode()
      if (!text.includes("\0")) return text
    } catch {
      const at = line + linesIn(readablePart(bytes, encoding))
      const hint = encoding === "utf-8" ? " It may be Windows-1252, which spreadsheets save as plain “CSV”." : ""
      throw new BadFile(
        `Line ${at} is not valid ${encoding.toUpperCase()}.${hint} Save the whole file as UTF-8 and open it again.`,
      )
    }
    const at = line + linesIn(readablePart(bytes, encoding))
    throw new BadFile(
      `Line ${at} contains a NUL character. This is not a text file, or it is UTF-16 without a byte order mark. Save it as UTF-8 and open it again.`,
    )
  }
  const unified = (text: string, isLast: boolean): string => {
    const whole = heldBack + text
    // A piece may end between \r and \n.
    heldBack = !isLast && whole.endsWith("\r") ? "\r" : ""
    const unifiedText = whole.slice(0, whole.length - heldBack.length).replace(/\r\n?/g, "\n")
    line += linesIn(unifiedText)
    return unifiedText
  }
  for await (const bytes of chunksOf(stream)) {
    decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true })
    const current = decoder
    yield unified(
      checked(() => current.decode(bytes, { stream: true }), bytes, current.encoding),
      false,
    )
  }
  if (decoder) {
    const current = decoder
    yield unified(
      checked(() => current.decode(), new Uint8Array(), current.encoding),
      true,
    )
  }
}
