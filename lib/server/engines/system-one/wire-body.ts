import type { WirePart } from "@/questions/wire"

const bytesOf = (part: WirePart): number => {
  if (typeof part === "string") return Buffer.byteLength(part)
  return part.isQuoted ? part.text.quotedBytes() : part.text.source.length
}

const piecesOf = (part: WirePart): Iterable<Uint8Array> => {
  if (typeof part === "string") return [Buffer.from(part)]
  return part.isQuoted ? part.text.quoted() : part.text.pieces()
}

/** A request body that is sent piece by piece: a state of 28 MiB is neither copied whole nor made into a string. */
export class WireBody {
  readonly bytes: number

  constructor(private readonly parts: WirePart[]) {
    this.bytes = parts.reduce((sum, part) => sum + bytesOf(part), 0)
  }

  *pieces(): Generator<Uint8Array> {
    for (const part of this.parts) yield* piecesOf(part)
  }

  /** The whole body at once, for one that is not long. */
  whole(): Buffer {
    const body = Buffer.allocUnsafe(this.bytes)
    let at = 0
    for (const part of this.parts) {
      if (typeof part === "string") at += body.write(part, at)
      else
        for (const piece of piecesOf(part)) {
          body.set(piece, at)
          at += piece.length
        }
    }
    return body
  }
}
