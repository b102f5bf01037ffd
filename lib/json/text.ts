const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/**
 * A JSON value of the request as its source bytes, insignificant white space removed. State, instructions, descriptions
 * and levels are carried like this: nothing is parsed into a tree, numbers and key order stay as they were sent.
 */
export class JsonText {
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

  /** UTF-8 length of `text()`. */
  textBytes(): number {
    if (this.kind !== "string") return this.source.length
    return this.source.includes(0x5c) ? new TextEncoder().encode(this.text()).length : this.source.length - 2
  }

  /** True for `""`, `{}` and `[]`: valid, and treated as null when sent to an engine (design.md). */
  isEmpty(): boolean {
    return this.source.length === 2
  }
}
