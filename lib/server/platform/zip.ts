import { Zip, ZipDeflate } from "fflate"

/** A file of an archive. Its text is generated while the archive is read. */
export interface ZipFile {
  name: string
  pieces: AsyncIterable<string>
}

/** Larger sizes need ZIP64, which the library does not write. */
const MAX_BYTES = 0xffff_ffff

/** Yields the bytes of a ZIP archive, no faster than they are read. Throws when a file or the archive exceeds 4 GiB. */
export async function* zipOf(files: Iterable<ZipFile>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let ready: Uint8Array[] = []
  let total = 0
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    ready.push(bytes)
  })
  const take = (): Uint8Array[] => {
    const taken = ready
    ready = []
    for (const bytes of taken) total += bytes.length
    if (total > MAX_BYTES) throw new Error("the archive exceeds 4 GiB")
    return taken
  }
  for (const { name, pieces } of files) {
    const file = new ZipDeflate(name, { level: 6 })
    let size = 0
    zip.add(file)
    for await (const piece of pieces) {
      const bytes = encoder.encode(piece)
      size += bytes.length
      if (size > MAX_BYTES) throw new Error("a file in the archive exceeds 4 GiB")
      file.push(bytes)
      yield* take()
    }
    file.push(new Uint8Array(0), true)
    yield* take()
  }
  zip.end()
  yield* take()
}
