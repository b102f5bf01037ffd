import { isDeepStrictEqual } from "node:util"
import { type BackupHeader, BackupReader, BackupRefused, type Bytes, Measured, unpack } from "./backup-format"
import { type LastLine, Line, RowsLine } from "./backup-lines"
import { decrypt } from "./encryption"

/** What a backup has, as its file says. */
export interface CheckedBackup {
  header: BackupHeader
  /** The size of the file. */
  bytes: number
  /** The SHA-256 of the whole file, in hexadecimal digits. */
  sha256: string
  isEncrypted: boolean
  /** How many rows each table has. */
  tables: Record<string, number>
  /** The sum of all balances, in pico-USD. */
  balancePico: bigint
  /** The sum of all entries of the ledger, in pico-USD. It differs from the balances when the ledger of the database did. */
  ledgerPico: bigint
}

const NEWLINE = 0x0a
const TAB = 0x09

function countLines(rows: Buffer): number {
  let lines = 0
  for (let at = rows.indexOf(NEWLINE); at !== -1; at = rows.indexOf(NEWLINE, at + 1)) lines++
  return lines
}

/** Sums a column of whole numbers over rows in PostgreSQL's text format. */
function sumColumn(rows: Buffer, index: number): bigint {
  let sum = 0n
  for (let start = 0; start < rows.length; ) {
    for (let i = 0; i < index; i++) start = rows.indexOf(TAB, start) + 1
    const newline = rows.indexOf(NEWLINE, start)
    const row = rows.subarray(start, newline)
    const tab = row.indexOf(TAB)
    sum += BigInt(row.toString("latin1", 0, tab === -1 ? row.length : tab))
    start = newline + 1
  }
  return sum
}

/** The column whose sum is checked, by table. */
const SUMMED: Record<string, string> = { account: "balance_pico", ledger_entry: "amount_pico" }

interface Content {
  tables: Record<string, number>
  sums: Record<string, bigint>
  last: LastLine
}

async function readContent(reader: BackupReader): Promise<Content> {
  const tables: Record<string, number> = {}
  const sums: Record<string, bigint> = {}
  for (;;) {
    const line = Line.parse(await reader.readLine())
    if (!("table" in line)) return { tables, sums, last: line }
    const { table, columns } = line
    const summed = columns.indexOf(SUMMED[table] ?? "")
    let count = 0
    let sum = 0n
    for await (const rows of reader.rows()) {
      count += countLines(rows)
      if (summed !== -1) sum += sumColumn(rows, summed)
    }
    const { rows } = RowsLine.parse(await reader.readLine())
    if (rows !== count) throw new BackupRefused(`it has ${count} rows of ${table}, not ${rows}`)
    tables[table] = count
    sums[table] = sum
  }
}

/** Throws `BackupRefused` unless the file has the tables, rows and sums that the database had. */
function compare({ tables, sums, last }: Content): { balancePico: bigint; ledgerPico: bigint } {
  const { account: balancePico = 0n, ledger_entry: ledgerPico = 0n } = sums
  if (last.tables && !isDeepStrictEqual(last.tables, tables)) throw new BackupRefused("its tables are incomplete")
  if (last.sums && (BigInt(last.sums.balance_pico) !== balancePico || BigInt(last.sums.ledger_pico) !== ledgerPico))
    throw new BackupRefused("its balances are not those of the database")
  return { balancePico, ledgerPico }
}

/** Returns whether an error says that bytes are not those of a backup, unlike one of a disk or network. */
const isDamage = (error: unknown): boolean =>
  error instanceof BackupRefused ||
  error instanceof SyntaxError ||
  (error instanceof Error && (error.name === "ZodError" || ("code" in error && /^Z_/.test(String(error.code)))))

/**
 * Reads a whole backup and checks its checksum, its tables, the number of their rows, and the sums of balances and ledger. `file` is
 * its name in messages, and `key` the identity that decrypts it. Throws `BackupRefused` when it is damaged or cannot be decrypted.
 */
export async function checkBackup(bytes: Bytes, file: string, key: string | null): Promise<CheckedBackup> {
  const measured = new Measured(bytes)
  const { isEncrypted, plain } = await decrypt(measured, file, key)
  try {
    const { header, reader } = await BackupReader.open(unpack(plain))
    try {
      const content = await readContent(reader)
      await reader.end()
      const sums = compare(content)
      const { tables } = content
      return { header, bytes: measured.bytes, sha256: measured.sha256(), isEncrypted, tables, ...sums }
    } finally {
      await reader.close()
    }
  } catch (cause) {
    if (!isDamage(cause)) throw cause
    const reason = cause instanceof BackupRefused ? cause.message : "its content cannot be read"
    throw new BackupRefused(`${file} is damaged, incomplete or not a backup: ${reason}`, { cause })
  }
}
