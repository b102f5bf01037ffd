import { BadFile, FileOverLimit, MAX_FILE_BYTES } from "./bad-file"
import { decodeText } from "./decode-text"
import type { Table } from "./evaluation-set"
import { readCsv } from "./read-csv"
import { readJsonArray, readJsonl } from "./read-json"
import { refuseWorkbook } from "./refuse-workbook"
import { RowSample, sampleSize } from "./row-sample"

const READERS = { csv: readCsv, jsonl: readJsonl, json: readJsonArray }

/** A name that says CSV decides. Else the first character does, and then a name that says JSON Lines. */
function formatOf(name: string, head: string): Table["format"] {
  if (/\.(csv|tsv|tab)$/i.test(name)) return "csv"
  const first = head.trimStart()[0]
  if (first === "[") return "json"
  return first === "{" || /\.(jsonl|ndjson)$/i.test(name) ? "jsonl" : "csv"
}

async function* joined(head: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield head
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}

function counted(stream: ReadableStream<Uint8Array>, onRead: (bytes: number) => void): ReadableStream<Uint8Array> {
  let bytes = 0
  const transform = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length
      onRead(bytes)
      controller.enqueue(chunk)
    },
  })
  return stream.pipeThrough(transform)
}

interface ReadOptions {
  /** Receives the bytes read so far. */
  onRead?(bytes: number): void
  /** Reads a random sample of a file that has more rows or bytes than a set may have. */
  isSample?: boolean
}

/**
 * Reads a file as a table, in the format that its name or first character shows. Throws `BadFile`, and `FileOverLimit` for a file of
 * which only a sample can be read.
 */
export async function readTable(
  file: Blob,
  name: string,
  { onRead = () => {}, isSample = false }: ReadOptions = {},
): Promise<Table> {
  await refuseWorkbook(file)
  if (file.size > MAX_FILE_BYTES && !isSample)
    throw new FileOverLimit(
      `The file has ${Math.ceil(file.size / 1024 / 1024)} MiB. At most 50 MiB are allowed. Split it, or open a sample of it.`,
    )
  const texts = decodeText(counted(file.stream(), onRead))
  const { value: head = "" } = await texts.next()
  if (file.size === 0) throw new BadFile("The file is empty. Choose a file with a header and at least one row.")
  const format = formatOf(name, head)
  // A JSON array is only read whole.
  if (format === "json" && file.size > MAX_FILE_BYTES)
    throw new BadFile(
      "A JSON array of more than 50 MiB cannot be read. Write one object per line, without the brackets.",
    )
  const sample = isSample ? new RowSample(sampleSize(file.size)) : null
  const table = await READERS[format](joined(head, texts), sample)
  return sample ? sample.finish(table) : table
}
