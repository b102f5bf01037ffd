import { open } from "node:fs/promises"

type Scalar = string | number | boolean

/** The header of a GGUF file, which comes before the weights. */
export interface GgufHeader {
  /** The values that are not lists, by key. */
  metadata: ReadonlyMap<string, Scalar>
  /** The length of `tokenizer.ggml.tokens`. */
  vocabulary: number
  parameters: number
}

/** The header ends after the bytes read so far. */
class Unfinished extends Error {}

const notGguf = (clause: string): Error => new Error(`The file is not a GGUF model: ${clause}.`)

const FIRST_BYTES = 1_048_576
/** The largest known vocabularies need about 20 MB. */
const MAX_BYTES = 67_108_864
const OLDEST_VERSION = 2
const STRING = 8
const LIST = 9
/** Bytes of each fixed-size type, by its number. */
const SIZES: Readonly<Record<number, number>> = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 }

/** Reads values of a header from its beginning. Throws `Unfinished` when the bytes do not suffice. */
class Cursor {
  #at = 0

  constructor(private readonly bytes: Buffer) {}

  skip(length: number): number {
    const start = this.#at
    if (start + length > this.bytes.length) throw new Unfinished()
    this.#at = start + length
    return start
  }

  count(): number {
    return Number(this.bytes.readBigUInt64LE(this.skip(8)))
  }

  u32(): number {
    return this.bytes.readUInt32LE(this.skip(4))
  }

  text(): string {
    const length = this.count()
    const start = this.skip(length)
    return this.bytes.toString("utf8", start, start + length)
  }

  /** Returns a value that is no list. */
  scalar(type: number): Scalar {
    if (type === STRING) return this.text()
    const size = SIZES[type]
    if (size === undefined) throw notGguf(`value type ${type} is unknown`)
    const at = this.skip(size)
    const { bytes } = this
    if (type === 6) return bytes.readFloatLE(at)
    if (type === 12) return bytes.readDoubleLE(at)
    if (type === 7) return bytes[at] === 1
    if (size === 8) return Number(type === 10 ? bytes.readBigUInt64LE(at) : bytes.readBigInt64LE(at))
    return type % 2 === 0 ? bytes.readUIntLE(at, size) : bytes.readIntLE(at, size)
  }

  /** Skips a list and returns its length. */
  list(): number {
    const type = this.u32()
    const length = this.count()
    const size = SIZES[type]
    if (size !== undefined) this.skip(size * length)
    else for (let i = 0; i < length; i++) type === LIST ? this.list() : this.skip(this.count())
    return length
  }
}

function parse(bytes: Buffer): GgufHeader {
  const cursor = new Cursor(bytes)
  if (bytes.toString("latin1", 0, 4) !== "GGUF" || cursor.skip(4) !== 0) throw notGguf("it does not begin with GGUF")
  const version = cursor.u32()
  if (version < OLDEST_VERSION) throw notGguf(`its version ${version} is too old`)
  const tensors = cursor.count()
  const values = cursor.count()
  const metadata = new Map<string, Scalar>()
  let vocabulary = 0
  for (let i = 0; i < values; i++) {
    const key = cursor.text()
    const type = cursor.u32()
    if (type !== LIST) metadata.set(key, cursor.scalar(type))
    else {
      const length = cursor.list()
      if (key === "tokenizer.ggml.tokens") vocabulary = length
    }
  }
  let parameters = 0
  for (let i = 0; i < tensors; i++) {
    cursor.text()
    const dimensions = Array.from({ length: cursor.u32() }, () => cursor.count())
    cursor.skip(12)
    parameters += dimensions.reduce((product, length) => product * length, 1)
  }
  return { metadata, vocabulary, parameters }
}

/** Returns `length` bytes of a file from `start` on, or fewer at its end. */
export type ReadBytes = (start: number, length: number) => Promise<Buffer>

/** Reads as much of a GGUF file as its header has. Throws an error that says why the file is not a GGUF model. */
export async function parseGgufHeader(read: ReadBytes): Promise<GgufHeader> {
  let bytes = Buffer.alloc(0)
  for (let length = FIRST_BYTES; ; length *= 4) {
    bytes = Buffer.concat([bytes, await read(bytes.length, length - bytes.length)])
    try {
      return parse(bytes)
    } catch (error) {
      if (!(error instanceof Unfinished)) throw error
      if (bytes.length < length || length >= MAX_BYTES) throw notGguf("it ends within its header")
    }
  }
}

/** Reads the header of a GGUF file. Throws an error that says why the file is not a GGUF model. */
export async function readGgufHeader(file: string): Promise<GgufHeader> {
  const handle = await open(file)
  try {
    return await parseGgufHeader(async (start, length) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start)
      return buffer.subarray(0, bytesRead)
    })
  } finally {
    await handle.close()
  }
}
