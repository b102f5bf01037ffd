import { readFileSync } from "node:fs"
import type pg from "pg"
import { describe, expect, it } from "vitest"
import { schemaSql } from "@/scripts/schema-sql"
import { onScratchDatabase } from "@/test/scratch-database"
import { migrate } from "./migrate"

// Some spellings differ but mean the same: identity and sequence, now() and CURRENT_TIMESTAMP, timestamptz with and without
// its default precision. Left out is what Prisma cannot express: generated columns, checks, partial indexes, functions.
const COLUMNS = `
  SELECT c.relname || '.' || a.attname AS name,
    concat_ws(' ', replace(format_type(a.atttypid, a.atttypmod), '(6)', ''), CASE WHEN a.attnotnull THEN 'not null' END,
      CASE WHEN a.attidentity <> '' OR pg_get_expr(d.adbin, d.adrelid) ~ '^(nextval|next_audit_id)[(]' THEN 'counts up'
        WHEN a.attgenerated = '' THEN 'default ' || replace(pg_get_expr(d.adbin, d.adrelid), 'now()', 'CURRENT_TIMESTAMP') END) AS definition
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND left(c.relname, 1) <> '_'
    AND a.attnum > 0 AND NOT a.attisdropped ORDER BY name`

const KEYS = `
  SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid) AS name
  FROM pg_constraint WHERE contype IN ('p', 'f') AND connamespace = 'public'::regnamespace
    AND NOT (SELECT relispartition FROM pg_class WHERE oid = conrelid) AND left(conrelid::regclass::text, 1) <> '_' ORDER BY name`

const INDEXES = `
  SELECT c.relname || CASE WHEN i.indisunique THEN ' unique ' ELSE ' ' END ||
    regexp_replace(pg_get_indexdef(i.indexrelid), '^.* USING ', '') AS name
  FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND left(c.relname, 1) <> '_'
    AND i.indpred IS NULL AND NOT i.indisprimary ORDER BY name`

async function catalogOf(pool: pg.Pool) {
  const columns = await pool.query<{ name: string; definition: string }>(COLUMNS)
  const keys = await pool.query<{ name: string }>(KEYS)
  const indexes = await pool.query<{ name: string }>(INDEXES)
  return {
    columns: Object.fromEntries(columns.rows.map((row) => [row.name, row.definition])),
    keys: keys.rows.map((row) => row.name),
    indexes: indexes.rows.map((row) => row.name),
  }
}

const catalogOfMigrations = () =>
  onScratchDatabase(async (pool) => {
    await migrate(pool)
    return catalogOf(pool)
  })

const SCHEMA = readFileSync("prisma/schema.prisma", "utf8")

const catalogOfSchema = (edit = (schema: string) => schema) =>
  onScratchDatabase(async (pool) => {
    await pool.query(await schemaSql(null, edit(SCHEMA)))
    return catalogOf(pool)
  })

describe("schema.prisma and the migrated database", () => {
  it("agree on columns, keys and indexes", async () => {
    const migrated = await catalogOfMigrations()
    expect(migrated.columns["account.balance_pico"]).toBe("bigint not null default 0")
    expect(await catalogOfSchema()).toEqual(migrated)
  })

  it("are seen to differ when a column, a default, a relation or an index differs", async () => {
    const migrated = await catalogOfMigrations()
    const renamed = await catalogOfSchema((schema) => schema.replace('@map("held_pico")', '@map("kept_pico")'))
    expect(renamed.columns).not.toEqual(migrated.columns)
    const changed = await catalogOfSchema((schema) => schema.replace("@default(20)", "@default(21)"))
    expect(changed.columns).not.toEqual(migrated.columns)
    const loosened = await catalogOfSchema((schema) => schema.replace("onDelete: NoAction", "onDelete: Cascade"))
    expect(loosened.keys).not.toEqual(migrated.keys)
    const unindexed = await catalogOfSchema((schema) => schema.replace("@@index([accountId, createdAt])", ""))
    expect(unindexed.indexes).not.toEqual(migrated.indexes)
  })
})
