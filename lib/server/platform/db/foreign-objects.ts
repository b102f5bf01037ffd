import type pg from "pg"

/** Holds for a row `c` of `pg_class` that no extension created. */
export const NOT_OF_EXTENSION = `NOT EXISTS (SELECT FROM pg_depend d
  WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`

const OBJECTS = `
  SELECT c.relname AS name FROM pg_class c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND ${NOT_OF_EXTENSION}
  UNION ALL SELECT c.relname FROM pg_class c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'S'
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype IN ('a', 'i', 'e'))
  UNION ALL SELECT p.proname || '()' FROM pg_proc p
  WHERE p.pronamespace = current_schema()::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
  ORDER BY name LIMIT $1`

const NAMED = 10

/** Returns the names of what an empty database would not have: tables, views, sequences and functions of no extension, at most ten. */
export async function foreignObjects(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(OBJECTS, [NAMED])
  return rows.map(({ name }) => name)
}
