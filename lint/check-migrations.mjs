import fs from "node:fs"

/**
 * Checks each `migration.sql` of `prisma/migrations` after the first, the baseline: an index of a table that may hold rows is made
 * CONCURRENTLY, because any other way blocks writes to the table until the index is built. docs/database.md says how to write one.
 * A table that the same migration creates holds no rows. A partitioned table gets its index ON ONLY, and each partition concurrently.
 */
const FOLDER = "prisma/migrations"
const NAME = String.raw`(?:IF NOT EXISTS )?(?:"?public"?\.)?"?(\w+)"?`
const INDEX = new RegExp(String.raw`^CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY ).*?\bON (?!ONLY )${NAME}`)
const CONSTRAINT = new RegExp(
  String.raw`^ALTER TABLE (?:ONLY )?${NAME} .*?\b(?:UNIQUE|PRIMARY KEY|EXCLUDE)\b(?! USING INDEX)`,
)
const TABLE = new RegExp(`^CREATE TABLE ${NAME}`)

const statementsOf = (sql) =>
  sql
    .replaceAll(/--.*$/gm, "")
    .split(";")
    .map((statement) => statement.replaceAll(/\s+/g, " ").trim())

const [, ...names] = fs
  .readdirSync(FOLDER)
  .filter((name) => fs.existsSync(`${FOLDER}/${name}/migration.sql`))
  .sort()
const faults = names.flatMap((name) => {
  const statements = statementsOf(fs.readFileSync(`${FOLDER}/${name}/migration.sql`, "utf8"))
  const created = statements.flatMap((statement) => TABLE.exec(statement)?.[1] ?? [])
  return statements
    .flatMap((statement) => (INDEX.exec(statement) ?? CONSTRAINT.exec(statement))?.[1] ?? [])
    .filter((table) => !created.includes(table))
    .map((table) => `${FOLDER}/${name} makes an index of ${table} while writes to it wait: make it CONCURRENTLY`)
})
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
