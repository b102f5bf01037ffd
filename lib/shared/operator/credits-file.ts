import { BadFile, FileOverLimit } from "@/lib/shared/evaluate/rows/bad-file"
import { readTable } from "@/lib/shared/evaluate/rows/read-table"
import { formatCount } from "@/lib/shared/format"
import type { Pico } from "@/lib/shared/money"
import { AmountUsd, Note, Reference } from "./forms"

/** A credit of a file. `line` counts the lines of the file from 1. */
export interface CreditLine {
  line: number
  /** As commands take it: an id, a key as lists show it, or a member's address. */
  account: string
  amountPico: Pico
  reference: string
  note: string
}

const COLUMNS = ["account", "amount_usd", "reference", "note"] as const

/** The accounts of a file are locked together, which delays their charges. */
const MAX_LINES = 1_000

function requireColumns(columns: readonly string[]): void {
  const missing = COLUMNS.find((name) => !columns.includes(name))
  if (missing) throw new BadFile(`The file has no column “${missing}”. Its header must be ${COLUMNS.join(",")}.`)
  if (columns.length > COLUMNS.length) throw new BadFile(`Remove all columns but ${COLUMNS.join(", ")}.`)
}

/** Throws `BadFile`, which names the line and the column of the first cell that is wrong. */
function readLine(columns: readonly string[], cells: readonly string[], line: number): CreditLine {
  const cellOf = (name: (typeof COLUMNS)[number]): string => cells[columns.indexOf(name)]?.trim() ?? ""
  const fail = (column: string, message: string): never => {
    throw new BadFile(`Line ${line}, column ${column}: ${message} Nothing was credited.`)
  }
  const account = cellOf("account") || fail("account", "Enter an account.")
  const amount = AmountUsd.safeParse(cellOf("amount_usd"))
  const reference = Reference.safeParse(cellOf("reference"))
  const note = Note.safeParse(cellOf("note"))
  return {
    ...{ line, account },
    amountPico: amount.data ?? fail("amount_usd", amount.error?.issues[0]?.message ?? ""),
    reference: reference.data ?? fail("reference", reference.error?.issues[0]?.message ?? ""),
    note: note.data ?? fail("note", note.error?.issues[0]?.message ?? ""),
  }
}

/** Reads the credits of a CSV file with the columns account, amount_usd, reference and note. Throws `BadFile` when one line is wrong. */
export async function readCreditsFile(file: Blob): Promise<CreditLine[]> {
  const { columns, rows, unreadable } = await readTable(file, "credits.csv").catch((error: unknown) => {
    throw error instanceof FileOverLimit ? tooLong() : error
  })
  requireColumns(columns)
  const [fault] = unreadable
  if (fault) throw new BadFile(`Line ${fault.line}: ${fault.reason} Nothing was credited.`)
  if (rows.length > MAX_LINES) throw tooLong()
  return rows.map(({ line, cells }) => readLine(columns, cells, line))
}

const tooLong = () =>
  new BadFile(`The file has more than ${formatCount(MAX_LINES)} lines. Split it. Nothing was credited.`)
