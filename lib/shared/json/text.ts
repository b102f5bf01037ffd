import { BACKSLASH, isSpace, QUOTE, SPACE } from "./bytes"
import { escapeUnit } from "./strings"

/** The size of the pieces that the generators below yield, in source bytes. */
const PIECE_BYTES = 65_536

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/**
 * A string, object or array of the request as its source bytes without insignificant white space. State, instructions,
 * descriptions and levels are never parsed into a tree: numbers and key order stay exactly as they were sent.
 */
export class JsonText {
  #otherLength: number

  constructor(
    readonly kind: "string" | "object" | "array",
    /** Compact UTF-8 source, including quotes and escapes. */
    readonly source: Uint8Array,
    /** The result of `otherLengthOf`, or 0 when it is not known yet. */
    otherLength = 0,
  ) {
    this.#otherLength = otherLength
  }

  /** Returns the JSON source, as sent to an engine or in the `legend` of a score's answer. */
  json(): string {
    return decoder.decode(this.source)
  }

  /** Returns what the model reads and what is billed: a string's characters, any other value's compact source. */
  text(): string {
    return this.kind === "string" ? (JSON.parse(this.json()) as string) : this.json()
  }

  /** Returns the UTF-8 length of `text()`. */
  textBytes(): number {
    return this.kind === "string" ? this.#otherLengthOnce() : this.source.length
  }

  /** Returns the length of `quoted()`, in bytes. */
  quotedBytes(): number {
    return this.kind === "string" ? this.source.length : this.#otherLengthOnce()
  }

  *pieces(): Generator<Uint8Array> {
    const { source } = this
    for (let at = 0; at < source.length; at += PIECE_BYTES) yield source.subarray(at, at + PIECE_BYTES)
  }

  /** Yields the value as one JSON string: a string as it was sent, any other value as a string of its source. */
  *quoted(): Generator<Uint8Array> {
    if (this.kind === "string") return yield* this.pieces()
    yield QUOTE_PIECE
    for (const piece of this.pieces()) yield escaped(piece)
    yield QUOTE_PIECE
  }

  /** Cached, because a state can have 28 MiB and each question needs its length. For large bodies a worker passes it in. */
  #otherLengthOnce(): number {
    this.#otherLength ||= otherLengthOf(this.kind === "string", this.source)
    return this.#otherLength
  }

  /** Returns whether this is `""`, `{}` or `[]`: valid, but sent to an engine as null (docs/decisions/0007). */
  isEmpty(): boolean {
    return this.source.length === 2
  }
}

const QUOTE_PIECE = Uint8Array.of(QUOTE)

/** Escapes a piece of compact source for a JSON string. Compact source has no control characters. */
function escaped(piece: Uint8Array): Uint8Array {
  const copy = new Uint8Array(piece.length * 2)
  let length = 0
  for (const byte of piece) {
    if (byte === QUOTE || byte === BACKSLASH) copy[length++] = BACKSLASH
    copy[length++] = byte
  }
  return copy.subarray(0, length)
}

/** Returns a copy of a valid JSON value's source without insignificant white space. */
export function compact(source: Uint8Array): Uint8Array {
  const copy = new Uint8Array(source)
  return copy.slice(0, squeeze(copy))
}

/** Removes insignificant white space from a valid JSON value in place. Returns the remaining length. */
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

/**
 * Returns the byte length of the other form of a compact value. For a string, that is its decoded text in UTF-8. For an
 * object or array, it is the value quoted as a JSON string.
 */
export const otherLengthOf = (isString: boolean, source: Uint8Array): number =>
  isString ? decodedBytes(source) : quotedBytes(source)

function decodedBytes(source: Uint8Array): number {
  const end = source.length - 1
  let bytes = end - 1
  for (let at = source.indexOf(BACKSLASH); at >= 0 && at < end; at++) {
    if (source[at] !== BACKSLASH) continue
    const isUnicode = source[at + 1] === 0x75
    const unit = isUnicode ? escapeUnit(source, at, end) : 0
    const isPair = unit >= 0xd800 && unit <= 0xdbff
    const length = isPair ? 12 : isUnicode ? 6 : 2
    bytes += (isPair ? 4 : unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3) - length
    at += length - 1
  }
  return bytes
}

function quotedBytes(source: Uint8Array): number {
  let bytes = source.length + 2
  for (let at = 0; at < source.length; at++) if (source[at] === QUOTE || source[at] === BACKSLASH) bytes++
  return bytes
}

/** Returns a text as a JSON string. */
export const jsonString = (text: string): JsonText =>
  new JsonText("string", new TextEncoder().encode(JSON.stringify(text)))
