import { createHash } from "node:crypto"
import type pg from "pg"

/** Returns a digest of each table, to compare two databases. Omits `backup`, `write_check` and tables that begin with `_`. */
export async function digests(pool: pg.Pool): Promise<Record<string, string>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       AND NOT relispartition AND left(relname, 1) <> '_' AND relname NOT IN ('backup', 'write_check') ORDER BY 1`,
  )
  const found: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await pool.query(`SELECT string_agg(t::text, chr(10) ORDER BY t::text) AS text FROM ${name} t`)
    found[name] = createHash("sha256").update(`${rows[0].text}`).digest("hex")
  }
  return found
}

/** Returns how many tables, indexes and sequences the database has. */
export const relations = async (pool: pg.Pool) =>
  (await pool.query("SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace")).rowCount

// A partition of one month or day depends on when it was created, and so do the bounds of all.
const DEFINITIONS = `
  WITH own AS (SELECT oid, relname, relkind, reloptions FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND left(relname, 1) <> '_' AND relname !~ '_\\d{4}_\\d{2}')
  SELECT concat_ws(' ', relname, relkind, reloptions) AS text FROM own
  UNION ALL SELECT concat_ws(' ', relname, attname, format_type(atttypid, atttypmod), CASE WHEN attnotnull THEN 'not null' END,
      attidentity, attgenerated, pg_get_expr(adbin, adrelid))
    FROM own JOIN pg_attribute a ON attrelid = own.oid LEFT JOIN pg_attrdef d ON adrelid = attrelid AND adnum = attnum
    WHERE relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped
  UNION ALL SELECT concat_ws(' ', relname, conname, pg_get_constraintdef(k.oid), convalidated)
    FROM own JOIN pg_constraint k ON conrelid = own.oid WHERE contype <> 'n' AND conparentid = 0
  UNION ALL SELECT pg_get_indexdef(indexrelid) FROM own JOIN pg_index i ON indexrelid = own.oid
  UNION ALL SELECT pg_get_triggerdef(t.oid) FROM own JOIN pg_trigger t ON tgrelid = own.oid WHERE NOT tgisinternal
  UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prokind = 'f'
  ORDER BY text`

/** Returns how each table, column, constraint, index, trigger and function is defined. */
export async function definitions(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ text: string }>(DEFINITIONS)
  return rows.map(({ text }) => text)
}
