import { BACKSLASH, isSpace, QUOTE, SPACE } from "./bytes"
import { measureOf } from "./measure"

/** Long values are handed on in pieces of so many source bytes. */
const PIECE_BYTES = 65_536

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/**
 * A JSON value of the request as its source bytes, insignificant white space removed. State, instructions, descriptions
 * and levels are carried like this: nothing is parsed into a tree, numbers and key order stay as they were sent.
 */
export class JsonText {
  #measure: number

  constructor(
    readonly kind: "string" | "object" | "array",
    /** Compact UTF-8 source, quotes and escapes included. */
    readonly source: Uint8Array,
    /** What `measureOf` says of it, where that is known. */
    measure = 0,
  ) {
    this.#measure = measure
  }

  /** The JSON source text, as it goes to an engine or into `legend`. */
  json(): string {
    return decoder.decode(this.source)
  }

  /** What the model reads and what is billed: a string's own characters, any other value's compact source. */
  text(): string {
    return this.kind === "string" ? (JSON.parse(this.json()) as string) : this.json()
  }

  /** UTF-8 length of `text()`. */
  textBytes(): number {
    return this.kind === "string" ? this.#measured() : this.source.length
  }

  /** Length of the value as one JSON string, in bytes. */
  quotedBytes(): number {
    return this.kind === "string" ? this.source.length : this.#measured()
  }

  /** The JSON source in pieces. */
  *pieces(): Generator<Uint8Array> {
    const { source } = this
    for (let at = 0; at < source.length; at += PIECE_BYTES) yield source.subarray(at, at + PIECE_BYTES)
  }

  /** The value as one JSON string, in pieces: a string as it was sent, anything else as the string of its source. */
  *quoted(): Generator<Uint8Array> {
    if (this.kind === "string") return yield* this.pieces()
    yield QUOTE_PIECE
    for (const piece of this.pieces()) yield escaped(piece)
    yield QUOTE_PIECE
  }

  /** Every question asks for the state's, which may be 28 MiB: read once, and not here where a worker has done it. */
  #measured(): number {
    this.#measure ||= measureOf(this.kind === "string", this.source)
    return this.#measure
  }

  /** True for `""`, `{}` and `[]`: valid, and treated as null when sent to an engine (docs/decisions/0007). */
  isEmpty(): boolean {
    return this.source.length === 2
  }
}

const QUOTE_PIECE = Uint8Array.of(QUOTE)

/** A piece of compact source as it stands inside a JSON string: no control characters are left to escape. */
function escaped(piece: Uint8Array): Uint8Array {
  const copy = new Uint8Array(piece.length * 2)
  let length = 0
  for (const byte of piece) {
    if (byte === QUOTE || byte === BACKSLASH) copy[length++] = BACKSLASH
    copy[length++] = byte
  }
  return copy.subarray(0, length)
}

/** The source of a checked JSON value without its insignificant white space, as a copy. */
export function compact(source: Uint8Array): Uint8Array {
  const copy = new Uint8Array(source)
  return copy.slice(0, squeeze(copy))
}

/** Moves a checked JSON value's source together where it stands; returns the length that is left. */
export function squeeze(source: Uint8Array): number {
  const end = source.length
  let length = 0
  let at = 0
  while (at < end) {
    const byte = source[at++] as number
    if (byte <= SPACE && isSpace(byte)) continue
    source[length++] = byte
    if (byte !== QUOTE) continue
    for (let inside = -1; inside !== QUOTE; ) {
      inside = source[at++] as number
      source[length++] = inside
      if (inside === BACKSLASH) source[length++] = source[at++] as number
    }
  }
  return length
}
