import { expect, it } from "vitest"
import { BadSetting, readEnv } from "@/lib/server/platform/env"
import { createRoleDatabase } from "@/test/role-database"
import { connectDatabase, openPool } from "./connect"
import { requireRights } from "./rights"

const { name, owner, server, ownerUrl, serverUrl, admin } = await createRoleDatabase("two roles")

/** Tries a duty as the role at this address. Returns the lines about missing rights. */
async function tryDuty(url: string, duty: "migrates" | "serves"): Promise<string[]> {
  const pool = openPool({ connectionString: url, max: 1 })
  const error = await requireRights(pool, duty).catch((thrown: unknown) => thrown)
  await pool.end()
  if (error === undefined) return []
  expect(error).toBeInstanceOf(BadSetting)
  return (error as Error).message.split("\n")
}

it("the role that migrates and the one that serves have the rights that they need with the documented grants", async () => {
  expect(await tryDuty(ownerUrl, "migrates")).toEqual([])
  expect(await tryDuty(serverUrl, "serves")).toEqual([])
})

it.each([
  [
    `REVOKE TEMPORARY ON DATABASE ${name} FROM PUBLIC`,
    `The database's role lacks TEMPORARY on the database. Run: GRANT TEMPORARY ON DATABASE ${name} TO ${server};`,
  ],
  [
    `REVOKE DELETE, UPDATE ON account, hold_default FROM ${server}`,
    `The database's role lacks SELECT, INSERT, UPDATE and DELETE on all tables. Run: GRANT DELETE, UPDATE ON ALL TABLES IN SCHEMA public TO ${server};`,
  ],
  [
    `REVOKE USAGE ON SEQUENCE ledger_entry_number FROM ${server}`,
    `The database's role lacks USAGE and SELECT on all sequences. Run: GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO ${server};`,
  ],
  [
    "REVOKE EXECUTE ON FUNCTION ledger_now FROM PUBLIC",
    `The database's role lacks EXECUTE on all functions. Run: GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO ${server};`,
  ],
  [
    `REVOKE USAGE ON SCHEMA public FROM PUBLIC, ${server}`,
    `The database's role lacks USAGE on the schema. Run: GRANT USAGE ON SCHEMA public TO ${server};`,
  ],
])("a server does not start after %s, and names the statement that gives the right back", async (revoke, line) => {
  await admin.query(revoke)
  expect(await tryDuty(serverUrl, "serves")).toEqual([line])
  const started = connectDatabase(readEnv({ DATABASE_URL: serverUrl }), "server")
  await expect(started).rejects.toEqual(new BadSetting(line))
  await admin.query(line.slice(line.indexOf("GRANT")))
  expect(await tryDuty(serverUrl, "serves")).toEqual([])
})

it("a role that may not connect is refused with the statement that lets it", async () => {
  await admin.query(`REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`)
  const started = connectDatabase(readEnv({ DATABASE_URL: serverUrl }), "server")
  await expect(started).rejects.toThrow(
    `DATABASE_URL: this role may not connect. Run: GRANT CONNECT ON DATABASE ${name} TO ${server};`,
  )
  await admin.query(`GRANT CONNECT ON DATABASE ${name} TO ${server}`)
})

it("a role that only serves may not migrate, and the refusal names what it lacks", async () => {
  const lines = [
    `The database's role lacks CREATE on the schema. Run: GRANT CREATE ON SCHEMA public TO ${server};`,
    `The database's role lacks Ownership of the tables and functions, or membership in the role that owns them. Run: GRANT ${owner} TO ${server};`,
  ]
  expect(await tryDuty(serverUrl, "migrates")).toEqual(lines)
})

it("another program's table in the schema needs no rights", async () => {
  await admin.query("CREATE TABLE tmp_fix (id integer)")
  expect(await tryDuty(serverUrl, "serves")).toEqual([])
})
