import { execFileSync } from "node:child_process"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { expect, it } from "vitest"
import { tempFolder } from "@/test/temp-folder"
import { writeMigration } from "./write-migration"

const NOW = new Date("2026-12-01T10:20:30Z")
const SCHEMA = `datasource db {
  provider = "postgresql"
}

model Key {
  id   String @id @db.Uuid
  name String

  @@map("key")
}
`

/** Creates a repository with a schema and its first migration, both committed. */
async function createRepository(): Promise<string> {
  const root = tempFolder()
  await mkdir(path.join(root, "prisma/migrations/20261120000000_first"), { recursive: true })
  await writeFile(path.join(root, "prisma/migrations/20261120000000_first/migration.sql"), "CREATE TABLE key ();\n")
  await writeFile(path.join(root, "prisma/schema.prisma"), SCHEMA)
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root })
  git("init", "--quiet")
  git("add", ".")
  git("-c", "user.name=Test", "-c", "user.email=test@example.com", "commit", "--quiet", "-m", "First")
  return root
}

const change = (root: string, from: string, to: string) =>
  writeFile(path.join(root, "prisma/schema.prisma"), SCHEMA.replace(from, to))

it("a migration has the SQL of what changed in the schema since the last one", async () => {
  const root = await createRepository()
  await change(root, "  name String\n", "  name String\n  note String?\n\n  @@index([name])\n")
  const file = await writeMigration(root, "key_note", NOW)
  expect(file).toBe("prisma/migrations/20261201102030_key_note/migration.sql")
  expect(await readFile(path.join(root, file), "utf8")).toBe(`-- AlterTable
ALTER TABLE "key" ADD COLUMN     "note" TEXT;

-- CreateIndex
CREATE INDEX "key_name_idx" ON "key"("name");
`)
})

it("a schema that has not changed gives an empty migration, for what it cannot express", async () => {
  const root = await createRepository()
  const file = await writeMigration(root, "checks", NOW)
  expect(await readFile(path.join(root, file), "utf8")).toBe("-- This is an empty migration.\n")
})

it("a name that exists or has other characters is refused, and writes nothing", async () => {
  const root = await createRepository()
  await expect(writeMigration(root, "first", NOW)).rejects.toThrow("prisma/migrations/20261120000000_first exists")
  await expect(writeMigration(root, "Key note", NOW)).rejects.toThrow("Usage: npm run migration NAME")
})
