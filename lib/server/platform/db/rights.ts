import type pg from "pg"
import { BadSetting } from "@/lib/server/platform/env"
import { type Release, readRelease, tablesOf } from "./release"

/** What a role does: it changes the schema, or it runs the service. One role may do both. */
type Duty = "migrates" | "serves"

export interface Right {
  /** As docs/operating.md shows it. */
  right: string
  duties: Duty[]
  why: string
  /** Selects the statements that give the right to the current role, and no row when the role has it. */
  missing: string
}

/**
 * The schema is the one in which tables are created. PostgreSQL leaves out one that the role may not use: then it is the last of the
 * search path. Tables include their partitions. Foreign tables in the schema do not count.
 */
const OBJECTS = `
  WITH role AS (SELECT current_user AS name),
  schema AS (SELECT name, to_regnamespace(quote_ident(name)) AS oid FROM (
    SELECT coalesce(current_schema(), trim(both ' "' FROM split_part(current_setting('search_path'), ',', -1))) AS name) AS chosen),
  tables AS (SELECT c.oid, c.relowner AS owner, left(c.relname, 1) = '_' AS is_history FROM pg_class c JOIN schema ON relnamespace = schema.oid
    WHERE relkind IN ('r', 'p') AND (relname = ANY ($1) OR EXISTS (
      SELECT FROM pg_inherits JOIN pg_class p ON p.oid = inhparent WHERE inhrelid = c.oid AND p.relname = ANY ($1)))),
  sequences AS (SELECT c.oid FROM pg_class c JOIN schema ON relnamespace = schema.oid
    WHERE relkind = 'S' AND EXISTS (SELECT FROM unnest($1) AS t WHERE starts_with(relname, t || '_'))),
  functions AS (SELECT p.oid, p.proowner AS owner FROM pg_proc p JOIN schema ON pronamespace = schema.oid WHERE proname = ANY ($2))`

const HISTORY = ["_prisma_migrations", "_sql_functions"]

const ON_DATABASE = "ON DATABASE %I TO %I', current_database(), role.name) AS line FROM role"

/** What the role at `DATABASE_URL` needs. docs/operating.md has the same table, and a test compares both. */
export const RIGHTS: Right[] = [
  {
    right: "`CONNECT` on the database",
    duties: ["migrates", "serves"],
    why: "Every process connects",
    missing: `SELECT format('GRANT CONNECT ${ON_DATABASE} WHERE NOT has_database_privilege(current_database(), 'CONNECT')`,
  },
  {
    right: "`TEMPORARY` on the database",
    duties: ["serves"],
    why: "`/readyz` writes to a temporary table, which a full disk refuses",
    missing: `SELECT format('GRANT TEMPORARY ${ON_DATABASE} WHERE NOT has_database_privilege(current_database(), 'TEMPORARY')`,
  },
  {
    right: "`USAGE` on the schema",
    duties: ["migrates", "serves"],
    why: "All tables and functions are in it",
    missing: `SELECT format(CASE WHEN oid IS NULL THEN 'CREATE SCHEMA %I AUTHORIZATION %I' ELSE 'GRANT USAGE ON SCHEMA %I TO %I' END, schema.name, role.name)
      FROM schema, role WHERE oid IS NULL OR NOT has_schema_privilege(oid, 'USAGE')`,
  },
  {
    right: "`CREATE` on the schema",
    duties: ["migrates"],
    why: "Migrations create tables, and functions that create partitions",
    missing: `SELECT format('GRANT CREATE ON SCHEMA %I TO %I', schema.name, role.name)
      FROM schema, role WHERE oid IS NOT NULL AND NOT has_schema_privilege(oid, 'CREATE')`,
  },
  {
    right: "Ownership of the tables and functions, or membership in the role that owns them",
    duties: ["migrates"],
    why: "Migrations change them",
    missing: `SELECT format('GRANT %s TO %I', owner::regrole, role.name) FROM role,
      (SELECT owner FROM tables UNION SELECT owner FROM functions) AS owned WHERE NOT pg_has_role(owner, 'USAGE')`,
  },
  {
    right: "`SELECT`, `INSERT`, `UPDATE` and `DELETE` on all tables",
    duties: ["serves"],
    why: "Requests, pages and jobs read and write rows",
    missing: `SELECT format('GRANT %s ON ALL TABLES IN SCHEMA %I TO %I', string_agg(DISTINCT privilege, ', '), schema.name, role.name)
      FROM role, schema, tables, unnest('{SELECT,INSERT,UPDATE,DELETE}'::text[]) AS privilege
      WHERE NOT has_table_privilege(tables.oid, privilege) AND (privilege = 'SELECT' OR NOT is_history) GROUP BY schema.name, role.name`,
  },
  {
    right: "`USAGE` and `SELECT` on all sequences",
    duties: ["serves"],
    why: "New rows get numbers, and backups read the last ones",
    missing: `SELECT format('GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA %I TO %I', schema.name, role.name) FROM role, schema
      WHERE EXISTS (SELECT FROM sequences s WHERE NOT has_sequence_privilege(s.oid, 'USAGE') OR NOT has_sequence_privilege(s.oid, 'SELECT'))`,
  },
  {
    right: "`EXECUTE` on all functions",
    duties: ["serves"],
    why: "Functions move money. PostgreSQL gives this right to every role unless it was revoked",
    missing: `SELECT format('GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA %I TO %I', schema.name, role.name) FROM role, schema
      WHERE EXISTS (SELECT FROM functions f WHERE NOT has_function_privilege(f.oid, 'EXECUTE'))`,
  },
]

export interface MissingRight {
  right: string
  /** The statement that gives it. */
  grant: string
}

/** Returns the rights that the current role lacks for this duty. Tables and functions that do not exist yet need none. Writes nothing. */
export async function findMissingRights(client: pg.ClientBase, duty: Duty, release: Release): Promise<MissingRight[]> {
  const checks = RIGHTS.filter(({ duties }) => duties.includes(duty)).map(
    ({ right, missing }) => `SELECT '${right}' AS "right", line AS "grant" FROM (${missing}) AS missing(line)`,
  )
  const tables = [...tablesOf(release.migrations), ...HISTORY]
  const functions = release.functions.functions.map(({ name }) => name)
  const { rows } = await client.query<MissingRight>(`${OBJECTS} ${checks.join(" UNION ALL ")}`, [tables, functions])
  return rows
}

/** Returns one line for each missing right, with the statement that gives it. */
export const linesOf = (missing: MissingRight[]): string =>
  missing.map(({ right, grant }) => `The database's role lacks ${right.replaceAll("`", "")}. Run: ${grant};`).join("\n")

/** Throws `BadSetting` with one line for each right that the role at `DATABASE_URL` lacks for this duty. */
export async function requireRights(pool: pg.Pool, duty: Duty, release?: Release): Promise<void> {
  const client = await pool.connect()
  const missing = await findMissingRights(client, duty, release ?? (await readRelease())).finally(() =>
    client.release(),
  )
  if (missing.length > 0) throw new BadSetting(linesOf(missing))
}
