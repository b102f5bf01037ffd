import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { tempFolder } from "@/test/temp-folder"

const FLOATING_QUERIES = `import type { Pool, PoolClient } from "pg"

export async function close(pool: Pool, client: PoolClient) {
  pool.query("SELECT 1")
  client.query("SELECT $1", [1])
  client?.query<{ one: number }>({ text: "SELECT 1" })
  pool.query("SELECT 1").then(() => {})
  pool.query("SELECT 1").finally(() => {})
  prisma().account.updateMany({ where: { id: "1" }, data: {} })
  if (client) {
    await client.query("BEGIN")
    client
      .query("COMMIT")
    if (pool) pool.query("SELECT 1")
  }
}
`

const WAITING_QUERIES = `import type { Pool, PoolClient } from "pg"

export async function close(pool: Pool, client: PoolClient) {
  await pool.query("SELECT 1")
  void client.query("SELECT 1")
  pool.query("SELECT 1").catch(() => {})
  const asked = pool.query("SELECT 1")
  return Promise.all([asked, client.query("SELECT 1")])
}

export const end = (client: PoolClient) => client.query("COMMIT")
`

describe("Biome", () => {
  it("finds a promise of another file, or of the database, that nothing waits for, and no other", () => {
    const tree = tempFolder()
    const files = {
      "biome.json": readFileSync("biome.json", "utf8").replace("./node_modules", path.resolve("node_modules")),
      "charge.ts": "export async function charge(): Promise<void> {}\n",
      "floating.ts": 'import { charge } from "./charge"\n\nexport function close() {\n  charge()\n}\n',
      "awaited.ts": 'import { charge } from "./charge"\n\nexport async function close() {\n  await charge()\n}\n',
      "void.ts": 'import { charge } from "./charge"\n\nexport function close() {\n  void charge()\n}\n',
      "query.ts": FLOATING_QUERIES,
      "waiting-query.ts": WAITING_QUERIES,
      "lint/floating-queries.grit": readFileSync("lint/floating-queries.grit", "utf8"),
    }
    mkdirSync(path.join(tree, "lint"))
    for (const [file, text] of Object.entries(files)) writeFileSync(path.join(tree, file), text)
    execFileSync("git", ["init", "--quiet"], { cwd: tree })
    const args = ["lint", "--reporter=github", "."]
    const { status, stdout } = spawnSync(path.resolve("node_modules/.bin/biome"), args, { cwd: tree, encoding: "utf8" })
    expect(status).toBe(1)
    const queries = [4, 5, 6, 7, 8, 9, 12, 14].map((line) => `query.ts,line=${line}`)
    expect(stdout.match(/[^/]+,line=\d+/g)?.toSorted()).toEqual(["floating.ts,line=4", ...queries].toSorted())
  })
})
