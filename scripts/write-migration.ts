import { execFileSync } from "node:child_process"
import fs from "node:fs/promises"
import path from "node:path"
import { schemaSql } from "./schema-sql"

/**
 * Writes `prisma/migrations/<YYYYMMDDhhmmss>_<name>/migration.sql` below `root` with the SQL of what changed in
 * `prisma/schema.prisma` since the last commit that changed a migration. Returns its path. Throws for a name that exists, and for
 * one that is not lower case with underscores.
 */
export async function writeMigration(root: string, name: string, now = new Date()): Promise<string> {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error("Usage: npm run migration NAME, in lower case with underscores")
  const migrations = path.join(root, "prisma/migrations")
  const existing = (await fs.readdir(migrations)).find((folder) => folder.slice(15) === name)
  if (existing)
    throw new Error(`prisma/migrations/${existing} exists. Delete it to write it again, or choose another name`)
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim()
  const lastMigration = git("log", "-1", "--format=%H", "--", "prisma/migrations")
  const before = git("show", `${lastMigration}:prisma/schema.prisma`)
  const sql = await schemaSql(before, await fs.readFile(path.join(root, "prisma/schema.prisma"), "utf8"))
  const stamp = now.toISOString().replaceAll(/\D/g, "").slice(0, 14)
  const file = `prisma/migrations/${stamp}_${name}/migration.sql`
  await fs.mkdir(path.dirname(path.join(root, file)))
  await fs.writeFile(path.join(root, file), sql)
  return file
}
