import { BACKSLASH, QUOTE } from "./bytes"
import { DecodedBytes } from "./strings"
import { stringEnd } from "./tokens"

/** Up to this many names of an object are compared pairwise; more go through a hash table. */
const MAX_PAIRWISE = 12

/** Random in every process, so that a client cannot choose names whose hashes collide. */
const SECRET = crypto.getRandomValues(new Int32Array(256))

/**
 * Finds repeated names. Holds the names of all open objects, innermost last, as a stack of offsets and hashes, and
 * searches an object's names when it closes. Names are equal when their decoded bytes are; hashes only select candidates.
 */
export class KeySet {
  /** How many names the open objects have together. */
  top = 0
  /** Offset of the first name in the document that repeats another, or -1, and the level of its object. */
  repeatedAt = -1
  repeatedDepth = 0

  private starts = new Int32Array(32)
  private hashes = new Int32Array(32)
  private table = new Int32Array(0)
  private readonly one: DecodedBytes
  private readonly other: DecodedBytes

  constructor(
    private readonly body: Uint8Array,
    private readonly secret: Int32Array = SECRET,
  ) {
    this.one = new DecodedBytes(body, 0)
    this.other = new DecodedBytes(body, 0)
  }

  /** Validates and adds the name that begins at `start`, after its quote. Returns the offset after its end, or a `FAULT`. */
  add(start: number): number {
    const { body, secret } = this
    const end = body.length
    let hash = 0
    let at = start
    while (at < end) {
      const byte = body[at] as number
      if (byte < 0x20 || byte >= 0x80 || byte === QUOTE || byte === BACKSLASH) break
      hash = mix(hash, secret[byte] as number)
      at++
    }
    if (at < end && body[at] === QUOTE) at++
    else {
      at = stringEnd(body, at, end)
      if (at < 0) return at
      hash = this.decodedHash(start)
    }
    this.push(start, hash)
    return at
  }

  private decodedHash(start: number): number {
    this.one.restart(start)
    let hash = 0
    for (let byte = this.one.next(); byte >= 0; byte = this.one.next()) hash = mix(hash, this.secret[byte] as number)
    return hash
  }

  private push(start: number, hash: number): void {
    if (this.top === this.starts.length) {
      this.starts = grown(this.starts)
      this.hashes = grown(this.hashes)
    }
    this.starts[this.top] = start
    this.hashes[this.top++] = hash
  }

  /** Closes the innermost object. Its first name is at `base` in the stack. */
  close(base: number, depth: number): void {
    const count = this.top - base
    if (count > 1) {
      const repeated = count <= MAX_PAIRWISE ? this.repeatedPairwise(base) : this.repeatedByTable(base)
      if (repeated >= 0 && (this.repeatedAt < 0 || repeated < this.repeatedAt)) {
        this.repeatedAt = repeated
        this.repeatedDepth = depth
      }
    }
    this.top = base
  }

  private repeatedPairwise(base: number): number {
    const { hashes, starts, top } = this
    for (let later = base + 1; later < top; later++) {
      const hash = hashes[later]
      for (let earlier = base; earlier < later; earlier++)
        if (hashes[earlier] === hash && this.isSame(earlier, later)) return starts[later] as number
    }
    return -1
  }

  private repeatedByTable(base: number): number {
    const { hashes, starts, top } = this
    const size = 1 << (33 - Math.clz32(top - base))
    if (this.table.length < size) this.table = new Int32Array(size)
    else this.table.fill(0, 0, size)
    const { table } = this
    for (let later = base; later < top; later++) {
      const hash = hashes[later] as number
      let slot = hash & (size - 1)
      for (let taken = table[slot] as number; taken !== 0; taken = table[slot] as number) {
        if (hashes[taken - 1] === hash && this.isSame(taken - 1, later)) return starts[later] as number
        slot = (slot + 1) & (size - 1)
      }
      table[slot] = later + 1
    }
    return -1
  }

  private isSame(earlier: number, later: number): boolean {
    const { body, starts } = this
    let a = starts[earlier] as number
    let b = starts[later] as number
    for (;;) {
      const byte = body[a++] as number
      const other = body[b++] as number
      if (byte === BACKSLASH || other === BACKSLASH) return this.isSameDecoded(earlier, later)
      if (byte !== other) return false
      if (byte === QUOTE) return true
    }
  }

  private isSameDecoded(earlier: number, later: number): boolean {
    this.one.restart(this.starts[earlier] as number)
    this.other.restart(this.starts[later] as number)
    for (;;) {
      const byte = this.one.next()
      if (byte !== this.other.next()) return false
      if (byte < 0) return true
    }
  }
}

function mix(hash: number, word: number): number {
  const product = Math.imul(hash ^ word, 0x2c1b3c6d)
  return product ^ (product >>> 15)
}

function grown(values: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(values.length * 2)
  larger.set(values)
  return larger
}
