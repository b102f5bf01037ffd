import { BACKSLASH, isSpace, QUOTE, SPACE } from "./bytes"
import { DecodedBytes } from "./escapes"

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/**
 * A JSON value of the request as its source bytes, insignificant white space removed. State, instructions, descriptions
 * and levels are carried like this: nothing is parsed into a tree, numbers and key order stay as they were sent.
 */
export class JsonText {
  #bytes: number | undefined

  constructor(
    readonly kind: "string" | "object" | "array",
    /** Compact UTF-8 source, quotes and escapes included. */
    readonly source: Uint8Array,
  ) {}

  /** The JSON source text, as it goes to an engine or into `legend`. */
  json(): string {
    return decoder.decode(this.source)
  }

  /** What the model reads and what is billed: a string's own characters, any other value's compact source. */
  text(): string {
    return this.kind === "string" ? (JSON.parse(this.json()) as string) : this.json()
  }

  /** UTF-8 length of `text()`. Every question asks for the state's, which may be 28 MiB of escapes: counted once. */
  textBytes(): number {
    this.#bytes ??= this.#countBytes()
    return this.#bytes
  }

  #countBytes(): number {
    if (this.kind !== "string") return this.source.length
    if (!this.source.includes(BACKSLASH)) return this.source.length - 2
    const bytes = new DecodedBytes(this.source, 1)
    let length = 0
    while (bytes.next() >= 0) length++
    return length
  }

  /** True for `""`, `{}` and `[]`: valid, and treated as null when sent to an engine (docs/decisions/0007). */
  isEmpty(): boolean {
    return this.source.length === 2
  }
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
