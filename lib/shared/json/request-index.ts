import { OPEN_BRACE, OPEN_BRACKET, QUOTE } from "./bytes"
import type { FieldPath } from "./field-path"
import { nameAt } from "./strings"
import { compact, JsonText, otherLengthOf, squeeze } from "./text"

export type JsonKind = "object" | "array" | "string" | "number" | "true" | "false" | "null"

const KINDS: readonly JsonKind[] = ["object", "array", "string", "number", "true", "false", "null"]

/** The role of a container in a request. It decides whether the container's members are recorded. */
export const ROLE = {
  none: 0,
  document: 1,
  root: 2,
  questions: 3,
  question: 4,
  criteria: 5,
  states: 6,
  listed: 7,
} as const

/** The fields of one node, as positions in its `WIDTH` numbers. A name or link of 0 means none: no name begins at offset 0. */
const NAME = 0
const KIND = 1
const START = 2
const END = 3
const SIZE = 4
const SPACES = 5
const FIRST = 6
const NEXT = 7
const OTHER_LENGTH = 8
const WIDTH = 9

/** Members recorded per object or array. Above every ceiling of the spec, so that a larger one is refused by its count. */
const MAX_MEMBERS = 300
/**
 * Nodes recorded in all. In OpenAI's lists, 128 questions of 255 described choices about 300 messages of one text have about 100,400. The
 * largest request of the contract has 33,220.
 */
const MAX_NODES = 130_000

/**
 * Builds the index of a request: the body, its members, each state of a batch, each question, its members, and each option or level.
 * Of a list of questions or of an `input` list, all that is at most five levels deep.
 * Every node is nine numbers of one flat array, which a worker can transfer without copying.
 */
export class RequestIndexBuilder {
  private numbers = new Int32Array(WIDTH * 32)
  private count = 0

  /** Returns the nodes recorded so far. */
  nodes(): Int32Array<ArrayBuffer> {
    return this.numbers.slice(0, this.count * WIDTH)
  }

  /**
   * Adds a value that begins at `start` as a child of `parent` after its sibling `last`, with `position` siblings before
   * it. `first` is the value's first byte. Returns the node's number, or -1 when no more nodes are recorded.
   */
  add(parent: number, last: number, position: number, name: number, start: number, first: number): number {
    if (position >= MAX_MEMBERS || this.count >= MAX_NODES) return -1
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

  /** Completes a node. `size` counts bytes of a scalar, members or items otherwise; `spaces` counts insignificant bytes. */
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

/** One value of a request, read from the index on demand. */
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

  /** How many members or items an object or array has, recorded or not; of a scalar its bytes, including quotes. */
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

  /** The result of `otherLengthOf` for the compact value; 0 when it is not measured yet. */
  get otherLength(): number {
    return this.number(OTHER_LENGTH)
  }

  /** Where the name begins, after its quote; 0 for an item of an array and for the body itself. */
  get nameStart(): number {
    return this.number(NAME)
  }

  /** Returns the name, or null when it has more than `maxPoints` code points. */
  name(maxPoints: number): string | null {
    return nameAt(this.body, this.nameStart, maxPoints)
  }

  /** Returns the recorded members or items, in the order sent. */
  children(): JsonNode[] {
    const children: JsonNode[] = []
    for (let child = this.number(FIRST); child > 0; child = this.numbers[child * WIDTH + NEXT] as number)
      children.push(new JsonNode(this.body, this.numbers, child))
    return children
  }

  /** Returns a string, object or array as text, or null for any other value. A view of the body when that is compact. */
  text(): JsonText | null {
    const { kind } = this
    if (kind !== "string" && kind !== "object" && kind !== "array") return null
    const source = this.body.subarray(this.start, this.end)
    return new JsonText(kind, this.spaces === 0 ? source : compact(source), this.otherLength)
  }
}

/** Removes the insignificant white space of every leaf in place, measures the leaf and updates the index. */
export function compactLeaves(body: Uint8Array, numbers: Int32Array): void {
  for (let at = 0; at < numbers.length; at += WIDTH) {
    const kind = KINDS[numbers[at + KIND] as number]
    if (numbers[at + FIRST] !== 0 || (kind !== "object" && kind !== "array" && kind !== "string")) continue
    const start = numbers[at + START] as number
    const source = body.subarray(start, numbers[at + END])
    const length = numbers[at + SPACES] === 0 ? source.length : squeeze(source)
    numbers[at + END] = start + length
    numbers[at + SPACES] = 0
    numbers[at + OTHER_LENGTH] = otherLengthOf(kind === "string", source.subarray(0, length))
  }
}

/** Longest names, in code points, that an error may show. */
const MAX_FIELD_NAME = 64
const MAX_OPTION_NAME = 128

/**
 * Returns the path of the field whose name at `offset`, in an object at level `depth`, repeats another. Paths end at
 * questions and options, so they never show names from state, instructions or descriptions. A name that is too long to
 * show gives its parent's path.
 */
export function fieldPath(root: JsonNode, offset: number, depth: number): FieldPath {
  const path: (string | number)[] = []
  let node = root
  for (let level = 1; ; level++) {
    const children = node.children()
    if (children.length === 0) return path
    const maxPoints = level === 4 ? MAX_OPTION_NAME : MAX_FIELD_NAME
    if (level === depth) return inside(path, nameAt(node.body, offset, maxPoints))
    const position = children.findIndex((child) => child.start <= offset && offset < child.end)
    const child = children[position]
    if (!child) return path
    const name = child.nameStart === 0 ? position : child.name(maxPoints)
    if (name === null || name === "") return path
    path.push(name)
    // Names in the lists of OpenAI's clients may be content.
    if (level === 1 && child.kind === "array" && name !== "states") return path
    node = child
  }
}

const inside = (path: FieldPath, name: string | null): FieldPath => (name ? [...path, name] : path)
