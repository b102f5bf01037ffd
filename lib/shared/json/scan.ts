import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  isSpace,
  MINUS,
  NINE,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
  ZERO,
} from "./bytes"
import type { FieldPath } from "./field-path"
import { KeySet } from "./key-set"
import { fieldPath, JsonNode, RequestIndexBuilder, ROLE } from "./request-index"
import { nameAt } from "./strings"
import { FAULT, faultName, literalEnd, numberEnd, numbersEnd, stringEnd } from "./tokens"

/** The deepest nesting of objects and arrays, including the body itself. */
const MAX_LEVELS = 512

/** In OpenAI's lists, the members of a message's part are at this level: body, list, message, content, part. */
const LISTED_LEVELS = 5

export type ScanFault = keyof typeof FAULT | "duplicate"

export type ScanResult =
  | { ok: true; nodes: Int32Array<ArrayBuffer> }
  /** `path` is empty for the body, or leads to the repeated field. */
  | { ok: false; fault: ScanFault; path: FieldPath }

/**
 * Validates a body as strict JSON: well-formed UTF-8, the exact grammar, no lone surrogates, at most 512 levels and no
 * repeated name in an object. Returns the index of the request, or its first fault. Invalid JSON is reported before a
 * repeated name.
 *
 * Used instead of `JSON.parse`, which accepts repeated names and lone surrogates, rounds numbers and reorders keys. It
 * would also build a tree of a 28 MiB body.
 */
export function scan(body: Uint8Array): ScanResult {
  const scanner = new Scanner(body)
  const state = scanner.run()
  if (state < 0) return { ok: false, fault: faultName(state), path: [] }
  const nodes = scanner.index.nodes()
  const { repeatedAt, repeatedDepth } = scanner.keys
  if (repeatedAt < 0) return { ok: true, nodes }
  return { ok: false, fault: "duplicate", path: fieldPath(new JsonNode(body, nodes), repeatedAt, repeatedDepth) }
}

/** Returns the byte offset of the invalid token or repeated name that `scan` reports, or -1 for a valid body. */
export function faultOffset(body: Uint8Array): number {
  const scanner = new Scanner(body)
  if (scanner.run() < 0) return scanner.position
  return Math.max(-1, scanner.keys.repeatedAt - 1)
}

/** What comes next: a value, or what follows one. Negative states are faults. */
const VALUE = 0
const DONE = 1

/** The fields of one open object or array. `BASE` is the position of its first name in the key set, -1 for an array. */
const ROLE_OF = 0
const COUNT = 1
const NODE = 2
const LAST = 3
const BASE = 4
const SPACES = 5
const WIDTH = 6

class Scanner {
  readonly keys: KeySet
  readonly index = new RequestIndexBuilder()

  private at = 0
  /** Bytes of insignificant white space read so far. */
  private spaces = 0
  /** Offset of the name of the current member. */
  private name = 0
  private depth = 0
  /** Frame 0 is the document, which holds one value. */
  private frames = new Int32Array(WIDTH * 8)
  /** Where the innermost frame begins in `frames`. */
  private frame = 0
  private readonly numbers = { count: 0, spaces: 0 }
  private readonly end: number

  constructor(private readonly body: Uint8Array) {
    this.keys = new KeySet(body)
    this.end = body.length
    this.frames[ROLE_OF] = ROLE.document
  }

  /** Offset of the next byte to read; after a fault, of the invalid token. */
  get position(): number {
    return this.at
  }

  run(): number {
    this.skipSpace()
    let state = VALUE
    while (state === VALUE || (state === DONE && this.depth > 0)) state = state === VALUE ? this.value() : this.next()
    if (state < 0) return state
    this.skipSpace()
    return this.at === this.end ? DONE : FAULT.grammar
  }

  private skipSpace(): void {
    const { body, end, at: from } = this
    if (from < end && (body[from] as number) > SPACE) return
    let at = from
    while (at < end && (body[at] as number) <= SPACE && isSpace(body[at] as number)) at++
    this.spaces += at - from
    this.at = at
  }

  private value(): number {
    this.skipNumbers()
    const { body, at, end } = this
    if (at >= end) return FAULT.grammar
    const first = body[at] as number
    if (first === OPEN_BRACE || first === OPEN_BRACKET) return this.open(first)
    let after: number
    if (first === QUOTE) after = stringEnd(body, at + 1, end)
    else if (first === MINUS || (first >= ZERO && first <= NINE)) after = numberEnd(body, at, end)
    else after = literalEnd(body, at, end)
    if (after < 0) return after
    this.at = after
    if (this.frames[this.frame] !== ROLE.none) {
      const node = this.record(first, at)
      if (node >= 0) this.index.finish(node, after, after - at, 0)
    }
    return DONE
  }

  private skipNumbers(): void {
    const { frames, frame, numbers } = this
    if (frames[frame] !== ROLE.none || (frames[frame + BASE] as number) >= 0) return
    this.at = numbersEnd(this.body, this.at, this.end, numbers)
    if (numbers.count === 0) return
    frames[frame + COUNT] = (frames[frame + COUNT] as number) + numbers.count
    this.spaces += numbers.spaces
    this.skipSpace()
  }

  private record(first: number, start: number): number {
    const { frames, frame } = this
    const name = (frames[frame + BASE] as number) >= 0 && this.depth > 0 ? this.name : 0
    const last = frames[frame + LAST] as number
    const node = this.index.add(
      frames[frame + NODE] as number,
      last,
      frames[frame + COUNT] as number,
      name,
      start,
      first,
    )
    if (node > 0) frames[frame + LAST] = node
    return node
  }

  private open(first: number): number {
    if (this.depth === MAX_LEVELS) return FAULT.depth
    const outer = this.frames[this.frame] as number
    const node = outer === ROLE.none ? -1 : this.record(first, this.at)
    const role = node < 0 ? ROLE.none : this.roleInside(outer, first)
    this.push(role, node, first === OPEN_BRACE ? this.keys.top : -1)
    this.at++
    this.skipSpace()
    if (this.at >= this.end) return FAULT.grammar
    const byte = this.body[this.at]
    if (byte === (first === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET)) {
      this.at++
      return this.close()
    }
    return first === OPEN_BRACE ? this.key() : VALUE
  }

  private roleInside(outer: number, first: number): number {
    const isObject = first === OPEN_BRACE
    if (outer === ROLE.document) return isObject ? ROLE.root : ROLE.none
    if (outer === ROLE.root && !isObject) {
      if (this.isNamed("states")) return ROLE.states
      return this.isNamed("input") || this.isNamed("questions") ? ROLE.listed : ROLE.none
    }
    if (outer === ROLE.listed) return this.depth < LISTED_LEVELS ? ROLE.listed : ROLE.none
    if (outer === ROLE.root) return this.isNamed("questions") ? ROLE.questions : ROLE.none
    if (outer === ROLE.questions) return isObject ? ROLE.question : ROLE.none
    return outer === ROLE.question && this.isNamed("criteria") ? ROLE.criteria : ROLE.none
  }

  private isNamed(name: string): boolean {
    return nameAt(this.body, this.name, name.length) === name
  }

  private push(role: number, node: number, base: number): void {
    this.depth++
    this.frame += WIDTH
    if (this.frame === this.frames.length) {
      const larger = new Int32Array(this.frame * 2)
      larger.set(this.frames)
      this.frames = larger
    }
    const { frames, frame } = this
    frames[frame + ROLE_OF] = role
    frames[frame + COUNT] = 0
    frames[frame + NODE] = node
    frames[frame + LAST] = 0
    frames[frame + BASE] = base
    frames[frame + SPACES] = this.spaces
  }

  private key(): number {
    const { body, end } = this
    if (this.at >= end || body[this.at] !== QUOTE) return FAULT.grammar
    const start = this.at + 1
    const after = this.keys.add(start)
    if (after < 0) return after
    this.at = after
    this.skipSpace()
    if (this.at >= end || body[this.at] !== COLON) return FAULT.grammar
    this.at++
    this.skipSpace()
    this.name = start
    return VALUE
  }

  private next(): number {
    const { frames, frame } = this
    frames[frame + COUNT] = (frames[frame + COUNT] as number) + 1
    this.skipSpace()
    if (this.at >= this.end) return FAULT.grammar
    const byte = this.body[this.at++]
    const isObject = (frames[frame + BASE] as number) >= 0
    if (byte === COMMA) {
      this.skipSpace()
      return isObject ? this.key() : VALUE
    }
    if (byte === (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) return this.close()
    this.at--
    return FAULT.grammar
  }

  private close(): number {
    const { frames, frame } = this
    const base = frames[frame + BASE] as number
    if (base >= 0) this.keys.close(base, this.depth)
    const node = frames[frame + NODE] as number
    const size = frames[frame + COUNT] as number
    const spaces = this.spaces - (frames[frame + SPACES] as number)
    if (node >= 0) this.index.finish(node, this.at, size, spaces)
    this.depth--
    this.frame -= WIDTH
    return DONE
  }
}
