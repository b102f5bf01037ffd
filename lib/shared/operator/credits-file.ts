import type { z } from "zod"
import { BadFile, FileOverLimit } from "@/lib/shared/evaluate/rows/bad-file"
import { readTable } from "@/lib/shared/evaluate/rows/read-table"
import { formatCount } from "@/lib/shared/format"
import { type Pico, pico, usd12 } from "@/lib/shared/money"
import { AmountUsd, type CreditLinesForm, MAX_CREDIT_LINES, Note, Reference } from "./forms"

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
  if (rows.length > MAX_CREDIT_LINES) throw tooLong()
  return rows.map(({ line, cells }) => readLine(columns, cells, line))
}

const tooLong = () =>
  new BadFile(`The file has more than ${formatCount(MAX_CREDIT_LINES)} lines. Split it. Nothing was credited.`)

/** The console takes 64 KiB for a call. React's encoding adds little to JSON. */
const MAX_FORM_BYTES = 60_000

interface CreditsForm {
  lines: z.input<typeof CreditLinesForm>["lines"]
  totalUsd: string
}

/** Reads the credits of a CSV file for the console, with their sum. Throws `BadFile`, also for a file that is too large for one call. */
export async function readCreditsForm(file: Blob): Promise<CreditsForm> {
  const credits = await readCreditsFile(file)
  const lines = credits.map(({ amountPico, ...line }) => ({ ...line, amountUsd: usd12(amountPico) }))
  if (new Blob([JSON.stringify(lines)]).size > MAX_FORM_BYTES)
    throw new BadFile(
      "The file is too large for this page, which takes about 400 lines. Split it, or use the command account credit --file. Nothing was credited.",
    )
  return { lines, totalUsd: usd12(pico(credits.reduce((sum, { amountPico }) => sum + amountPico, 0n))) }
}
