import { z } from "zod"

const whole = z.string().regex(/^-?\d+$/)

/** The line before the rows of a table. */
const TableLine = z.object({ table: z.string(), columns: z.array(z.string()).min(1) })

/** The last line. Version 1.0.0 wrote the sequences alone. */
const LastLine = z.object({
  sequences: z.array(z.object({ table: z.string(), column: z.string(), last: z.string(), called: z.boolean() })),
  /** How many rows each table had. */
  tables: z.record(z.string(), z.number()).optional(),
  /** The sums of all balances and of all entries of the ledger, in pico-USD. */
  sums: z.object({ balance_pico: whole, ledger_pico: whole }).optional(),
})

export const Line = z.union([TableLine, LastLine])

/** The line after the rows of a table. */
export const RowsLine = z.object({ rows: z.number() })

export type LastLine = z.output<typeof LastLine>
