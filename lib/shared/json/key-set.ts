import { BACKSLASH, QUOTE } from "./bytes"
import { DecodedBytes } from "./escapes"
import { stringEnd } from "./tokens"

/** Names of one object are compared each with each up to this many, through a hash table above it. */
const FEW = 12

/** Secret and new in every process, so that nobody can choose names that collide. */
const SECRET = crypto.getRandomValues(new Int32Array(256))

/**
 * The names of the objects that are open, innermost last: a stack of offsets and hashes, looked through for a repeated name
 * when its object closes. Names are equal when their decoded bytes are; a hash only says which to compare.
 */
export class KeySet {
  /** How many names the open objects have. */
  top = 0
  /** Offset of the name that is the first of the document to repeat another, or -1, and the level of its object. */
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

  /** Checks and adds the name that begins at `start`, after its quote. Returns the offset after its closing quote, or a fault. */
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

  /** Closes the innermost object, whose first name is the `base`th of all. */
  close(base: number, depth: number): void {
    const count = this.top - base
    if (count > 1) {
      const repeated = count <= FEW ? this.repeatedOfFew(base) : this.repeatedOfMany(base)
      if (repeated >= 0 && (this.repeatedAt < 0 || repeated < this.repeatedAt)) {
        this.repeatedAt = repeated
        this.repeatedDepth = depth
      }
    }
    this.top = base
  }

  private repeatedOfFew(base: number): number {
    const { hashes, starts, top } = this
    for (let later = base + 1; later < top; later++) {
      const hash = hashes[later]
      for (let earlier = base; earlier < later; earlier++)
        if (hashes[earlier] === hash && this.same(earlier, later)) return starts[later] as number
    }
    return -1
  }

  private repeatedOfMany(base: number): number {
    const { hashes, starts, top } = this
    const size = 1 << (33 - Math.clz32(top - base))
    if (this.table.length < size) this.table = new Int32Array(size)
    else this.table.fill(0, 0, size)
    const { table } = this
    for (let later = base; later < top; later++) {
      const hash = hashes[later] as number
      let slot = hash & (size - 1)
      for (let taken = table[slot] as number; taken !== 0; taken = table[slot] as number) {
        if (hashes[taken - 1] === hash && this.same(taken - 1, later)) return starts[later] as number
        slot = (slot + 1) & (size - 1)
      }
      table[slot] = later + 1
    }
    return -1
  }

  private same(earlier: number, later: number): boolean {
    const { body, starts } = this
    let a = starts[earlier] as number
    let b = starts[later] as number
    for (;;) {
      const byte = body[a++] as number
      const other = body[b++] as number
      if (byte === BACKSLASH || other === BACKSLASH) return this.sameDecoded(earlier, later)
      if (byte !== other) return false
      if (byte === QUOTE) return true
    }
  }

  private sameDecoded(earlier: number, later: number): boolean {
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
