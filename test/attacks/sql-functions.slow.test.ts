import { execFile } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { promisify } from "node:util"
import { expect, test } from "vitest"

/** Creates the schema in an empty database, and a function that names no column of its table. Prints the faults of all functions. */
const PROGRAM = `
import pg from "pg"
import { migrate } from "@/lib/server/platform/db/migrate"
const pool = new pg.Pool()
await migrate(pool)
await pool.query("CREATE EXTENSION plpgsql_check")
await pool.query("CREATE FUNCTION planted() RETURNS void LANGUAGE plpgsql AS 'BEGIN UPDATE account SET no_such_column = 1; END'")
const { rows } = await pool.query(\`
  SELECT p.proname AS name, f.lineno AS line, f.message
  FROM pg_proc p
  JOIN pg_language l ON l.oid = p.prolang AND l.lanname = 'plpgsql'
  LEFT JOIN pg_trigger t ON t.tgfoid = p.oid
  LEFT JOIN plpgsql_check_function_tb(p.oid, coalesce(t.tgrelid, 0), oldtable => t.tgoldtable, newtable => t.tgnewtable) f ON true
  WHERE p.pronamespace = 'public'::regnamespace\`)
process.stdout.write(JSON.stringify(rows))
await pool.end()
`

const SERVERS = "/usr/share/postgresql"

/** Throws with the missing Debian packages, unless Debian's newest PostgreSQL has plpgsql_check. */
function requirePackages(): void {
  const [version = "15"] = existsSync(SERVERS) ? readdirSync(SERVERS).filter(Number).sort().reverse() : []
  if (existsSync(`${SERVERS}/${version}/extension/plpgsql_check.control`) && existsSync("/usr/bin/pg_virtualenv"))
    return
  throw new Error(
    `plpgsql_check is missing. Install the Debian packages postgresql-${version} and postgresql-${version}-plpgsql-check`,
  )
}

test("every SQL function names tables, columns, types and variables that exist", async () => {
  requirePackages()
  const { stdout } = await promisify(execFile)("pg_virtualenv", [
    "npx",
    "tsx",
    "--input-type=module",
    "--eval",
    PROGRAM,
  ])
  const rows: { name: string; line: number | null; message: string | null }[] = JSON.parse(
    stdout.slice(stdout.indexOf("[{"), stdout.lastIndexOf("}]") + 2),
  )
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(["place_holds", "charge_holds", "post_entry"]))
  expect(rows.filter(({ message }) => message !== null)).toEqual([
    { name: "planted", line: 1, message: 'column "no_such_column" of relation "account" does not exist' },
  ])
})
