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
