import { OPEN_BRACE, OPEN_BRACKET, QUOTE } from "./bytes"
import { nameAt } from "./names"

export type JsonKind = "object" | "array" | "string" | "number" | "true" | "false" | "null"

const KINDS: readonly JsonKind[] = ["object", "array", "string", "number", "true", "false", "null"]

/** Where a container stands, which decides whether its members are recorded and what they are. */
export const ROLE = { none: 0, document: 1, root: 2, questions: 3, question: 4, criteria: 5 } as const

/** The numbers of one node, and how many they are. `name` and the links are 0 where there is none: no name begins at 0. */
const NAME = 0
const KIND = 1
const START = 2
const END = 3
const SIZE = 4
const SPACES = 5
const FIRST = 6
const NEXT = 7
const MEASURE = 8
const WIDTH = 9

/** Members recorded of one object or array; more than any ceiling of the spec allows, so that the count alone refuses. */
const MOST_MEMBERS = 300
/** Nodes in all. The largest valid request has 33,155: 128 questions of 255 options. */
const MOST_NODES = 40_000

/**
 * The index of a request: the body's value, its members, each question, its members, each option or level, as nine numbers
 * each. Flat, so that it crosses from a worker without being copied.
 */
export class RequestIndexBuilder {
  private numbers = new Int32Array(WIDTH * 32)
  private count = 0

  /** The nodes recorded so far. */
  nodes(): Int32Array<ArrayBuffer> {
    return this.numbers.slice(0, this.count * WIDTH)
  }

  /**
   * Adds a value that begins at `start` as a child of `parent` after its sibling `last`. `position` is how many siblings
   * come before it. Returns its number, or -1 where nothing more is recorded.
   */
  add(parent: number, last: number, position: number, name: number, start: number, first: number): number {
    if (position >= MOST_MEMBERS || this.count >= MOST_NODES) return -1
    const node = this.count++
    const at = node * WIDTH
    if (at === this.numbers.length) {
      const larger = new Int32Array(at * 2)
      larger.set(this.numbers)
      this.numbers = larger
    }
    this.numbers[at + NAME] = name
    this.numbers[at + KIND] = kindOf(first)
    this.numbers[at + START] = start
    if (last > 0) this.numbers[last * WIDTH + NEXT] = node
    else if (node > 0) this.numbers[parent * WIDTH + FIRST] = node
    return node
  }

  /** Completes a node: `size` in bytes for a scalar, in members or items otherwise; `spaces` insignificant bytes inside. */
  finish(node: number, end: number, size: number, spaces: number): void {
    const at = node * WIDTH
    this.numbers[at + END] = end
    this.numbers[at + SIZE] = size
    this.numbers[at + SPACES] = spaces
  }
}

function kindOf(first: number): number {
  if (first === OPEN_BRACE) return 0
  if (first === OPEN_BRACKET) return 1
  if (first === QUOTE) return 2
  return first === 0x74 ? 4 : first === 0x66 ? 5 : first === 0x6e ? 6 : 3
}

/** One recorded value of a request, read from the index when it is asked for. */
export class JsonNode {
  constructor(
    readonly body: Uint8Array,
    private readonly numbers: Int32Array,
    private readonly node = 0,
  ) {}

  private number(field: number): number {
    return this.numbers[this.node * WIDTH + field] as number
  }

  get kind(): JsonKind {
    return KINDS[this.number(KIND)] as JsonKind
  }

  /** Members of an object, items of an array; bytes of a scalar, quotes included. Counts what is not recorded too. */
  get size(): number {
    return this.number(SIZE)
  }

  get start(): number {
    return this.number(START)
  }

  get end(): number {
    return this.number(END)
  }

  /** Insignificant white space inside, in bytes. */
  get spaces(): number {
    return this.number(SPACES)
  }

  /** What `measureOf` says of this value without its white space; 0 where nobody has measured it yet. */
  get measure(): number {
    return this.number(MEASURE)
  }

  /** Where the name begins, after its quote; 0 for an item and for the body's own value. */
  get nameStart(): number {
    return this.number(NAME)
  }

  /** The name, or null when it has more than `most` code points. */
  name(most: number): string | null {
    return nameAt(this.body, this.nameStart, most)
  }

  /** The recorded members or items, in the order in which they were sent. */
  children(): JsonNode[] {
    const children: JsonNode[] = []
    for (let child = this.number(FIRST); child > 0; child = this.numbers[child * WIDTH + NEXT] as number)
      children.push(new JsonNode(this.body, this.numbers, child))
    return children
  }
}

/** Removes the insignificant white space of every leaf of the index where it stands, measures it, and completes the index. */
export function finishLeaves(
  body: Uint8Array,
  numbers: Int32Array,
  {
    squeeze,
    measureOf,
  }: { squeeze(source: Uint8Array): number; measureOf(isString: boolean, source: Uint8Array): number },
): void {
  for (let at = 0; at < numbers.length; at += WIDTH) {
    const kind = KINDS[numbers[at + KIND] as number]
    if (numbers[at + FIRST] !== 0 || (kind !== "object" && kind !== "array" && kind !== "string")) continue
    const start = numbers[at + START] as number
    const source = body.subarray(start, numbers[at + END])
    const length = numbers[at + SPACES] === 0 ? source.length : squeeze(source)
    numbers[at + END] = start + length
    numbers[at + SPACES] = 0
    numbers[at + MEASURE] = measureOf(kind === "string", source.subarray(0, length))
  }
}
