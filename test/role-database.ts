import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import type { Pool } from "pg"
import { inject } from "vitest"
import { openPool } from "@/lib/server/platform/db/connect"
import { migrate } from "@/lib/server/platform/db/migrate"
import { afterFile } from "./after-file"

/** The statements with which docs/operating.md lets `decisions` use the tables that `decisions_owner` creates. */
function documentedGrants(): string {
  const [, sql = ""] = /```sql\n(.*?)```/s.exec(readFileSync("docs/operating.md", "utf8")) ?? []
  return sql.replace(/^CREATE .*\n/gm, "")
}

export interface RoleDatabase {
  name: string
  owner: string
  server: string
  /** The address for the role that migrates, and for the one that serves. */
  ownerUrl: string
  serverUrl: string
  /** Connected as a superuser. */
  admin: Pool
}

/**
 * Creates a migrated database whose tables belong to one role, and a second role with the documented grants that serves. With
 * `layout` "one role", both are the same. Both are removed after the file.
 */
export async function createRoleDatabase(layout: "one role" | "two roles"): Promise<RoleDatabase> {
  const cluster = inject("postgres")
  const id = randomBytes(8).toString("hex")
  const [name, owner] = [`roles_${id}`, `owner_${id}`]
  const server = layout === "one role" ? owner : `server_${id}`
  const root = openPool({ ...cluster, database: "postgres", max: 1 })
  const roles = [...new Set([owner, server])]
  for (const role of roles) await root.query(`CREATE ROLE ${role} LOGIN`)
  await root.query(`CREATE DATABASE ${name} OWNER ${owner}`)
  const urlOf = (role: string) =>
    `postgresql://${role}@localhost:${cluster.port}/${name}?host=${encodeURIComponent(cluster.host)}`
  const admin = openPool({ ...cluster, database: name, max: 1 })
  const ownerPool = openPool({ connectionString: urlOf(owner), max: 1 })
  if (server !== owner)
    await ownerPool.query(
      documentedGrants()
        .replaceAll("decisions_owner", owner)
        .replaceAll(/\bdecisions\b/g, server),
    )
  await migrate(ownerPool)
  await ownerPool.end()
  afterFile(async () => {
    await admin.end()
    await root.query(`DROP DATABASE ${name} WITH (FORCE)`)
    for (const role of roles) await root.query(`DROP ROLE ${role}`)
    await root.end()
  })
  return { name, owner, server, ownerUrl: urlOf(owner), serverUrl: urlOf(server), admin }
}
