import { BadFile, FileOverLimit } from "@/lib/shared/evaluate/rows/bad-file"
import { MAX_ROWS } from "@/lib/shared/evaluate/rows/evaluation-set"
import { readTable } from "@/lib/shared/evaluate/rows/read-table"
import { formatCount } from "@/lib/shared/format"
import { shortText } from "@/lib/shared/long-runs"
import { MAX_OUTCOMES, OutcomeItem } from "./outcome-request"

/** An outcome of a file. `line` counts the lines of the file from 1. */
export interface FileOutcome {
  line: number
  outcome: OutcomeItem
}

const PROBABILITY = "a number from 0 to 1"
/** What a cell of each column must have. */
const CELLS = {
  request_id: "the id of a request, such as req_…",
  question: "the name of the question",
  type: "noul, choice or score",
  predicted: PROBABILITY,
  score: "the score of the answer",
  within_one: PROBABILITY,
  outcome: "true or false, or for a score the index of the right level",
  at: "a time such as 2026-11-28T09:30:00Z, or empty",
} as const
type Column = keyof typeof CELLS
const COLUMNS = Object.keys(CELLS) as Column[]
const REQUIRED: readonly Column[] = ["request_id", "question", "type", "outcome"]

const isColumn = (name: string): name is Column => Object.hasOwn(CELLS, name)

function requireColumns(columns: readonly string[]): void {
  const other = columns.find((name) => !isColumn(name))
  if (other !== undefined)
    throw new BadFile(`Remove the column “${shortText(other)}”. Only these are read: ${COLUMNS.join(", ")}.`)
  const missing = REQUIRED.find((name) => !columns.includes(name))
  if (missing) throw new BadFile(`The file has no column “${missing}”. Add it to the header.`)
}

/** An empty cell is not 0. */
const numberOf = (text: string | undefined): number | undefined => (text ? Number(text) : undefined)
const booleanOf = (text = ""): boolean | undefined => ({ true: true, false: false })[text.toLowerCase()]

/** Returns the item that a line stands for. Its members are undefined where a cell is empty or cannot be read. */
function itemOf({
  request_id,
  question,
  type,
  predicted,
  score,
  within_one,
  outcome,
  at,
}: Partial<Record<Column, string>>) {
  const named = { request_id, question, type, ...(at === undefined ? {} : { at }) }
  return type === "score"
    ? { ...named, predicted: { score: numberOf(score), within_one: numberOf(within_one) }, outcome: numberOf(outcome) }
    : { ...named, predicted: numberOf(predicted), outcome: booleanOf(outcome) }
}

/** Throws `BadFile`, which names the line and the column of the first cell that is wrong. */
function readLine(columns: readonly string[], cells: readonly string[], line: number): FileOutcome {
  const filled = columns.flatMap((name, at) => (cells[at]?.trim() ? [[name, cells[at].trim()]] : []))
  const parsed = OutcomeItem.safeParse(itemOf(Object.fromEntries(filled)))
  if (parsed.success) return { line, outcome: parsed.data }
  const column = String(parsed.error.issues[0]?.path.at(-1))
  throw new BadFile(`Line ${line}: “${column}” must be ${isColumn(column) ? CELLS[column] : "valid"}.`)
}

const readCsv = (file: Blob) =>
  readTable(file, "outcomes.csv").catch((error: unknown) => {
    if (!(error instanceof FileOverLimit)) throw error
    throw new BadFile(
      `The file has more than ${formatCount(MAX_ROWS)} lines or 50 MiB. Split it, and upload each part.`,
    )
  })

/** Reads the outcomes of a CSV file. Throws `BadFile` when one line of it is wrong. */
export async function readOutcomesFile(file: Blob): Promise<FileOutcome[]> {
  const { columns, rows, unreadable } = await readCsv(file)
  requireColumns(columns)
  const [fault] = unreadable
  if (fault) throw new BadFile(`Line ${fault.line}: ${fault.reason}`)
  return rows.map(({ line, cells }) => readLine(columns, cells, line))
}

/** The console takes 64 KiB for a call. React's encoding adds little to JSON. */
const MAX_PART_BYTES = 40_000

const bytesOf = ({ outcome }: FileOutcome): number => new TextEncoder().encode(JSON.stringify(outcome)).length + 1

/** Divides outcomes into parts, each small enough for one call. */
export function partsOf(outcomes: readonly FileOutcome[]): FileOutcome[][] {
  const parts: FileOutcome[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const outcome of outcomes) {
    const part = parts.at(-1)
    bytes += bytesOf(outcome)
    if (part && bytes <= MAX_PART_BYTES && part.length < MAX_OUTCOMES) {
      part.push(outcome)
      continue
    }
    parts.push([outcome])
    bytes = bytesOf(outcome)
  }
  return parts
}
