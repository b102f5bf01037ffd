import { readFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, inject, it } from "vitest"
import type { Runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { insertAccount } from "@/test/insert-rows"
import { onScratchDatabase } from "@/test/scratch-database"
import { scratchUrl } from "@/test/scratch-url"
import { openPool } from "./connect"
import { migrate } from "./migrate"
import { prisma } from "./prisma"

const runtime = await testRuntime()
const { pool } = runtime

describe("Prisma's client", () => {
  it("reads and writes on a connection of the process's pool", async () => {
    const { accountId: id } = await insertAccount()
    const connections = pool.totalCount
    await prisma(runtime).account.updateMany({ where: { id }, data: { name: "Acme" } })
    expect(await prisma(runtime).account.findUnique({ where: { id }, select: { name: true } })).toEqual({
      name: "Acme",
    })
    expect(pool.totalCount).toBe(connections)
  })

  it("opens no transaction, neither one that is asked for nor one of its own", async () => {
    const { accountId } = await insertAccount()
    const user = { id: accountId, email: "nobody@example.com" }
    const asked = runtime.prisma?.$transaction(async (inside) => inside.user.create({ data: user }))
    await expect(asked).rejects.toThrow("Prisma opens no transaction here")
    const nested = prisma(runtime).user.create({ data: { ...user, members: { create: { accountId, role: "owner" } } } })
    await expect(nested).rejects.toThrow("Prisma opens no transaction here")
    expect(await prisma(runtime).user.count({ where: user })).toBe(0)
  })
})

it("Prisma's client uses the schema of the search path, as SQL does", async () => {
  await onScratchDatabase(async (scratch) => {
    await scratch.query("CREATE SCHEMA decisions")
    const chosen = openPool({ connectionString: `${scratchUrl(scratch)}&options=-c%20search_path%3Ddecisions` })
    await migrate(chosen)
    await chosen.query("INSERT INTO account (id) VALUES (gen_random_uuid())")
    const other: Runtime = { ...runtime, pool: chosen }
    delete other.prisma
    expect(await prisma(other).account.count()).toBe(1)
    const { rows } = await scratch.query("SELECT schemaname FROM pg_tables WHERE tablename = 'account'")
    expect(rows).toEqual([{ schemaname: "decisions" }])
    await chosen.end()
  })
})

describe("a bundle", () => {
  const holdsPrisma = (program: string) =>
    /PrismaClient|@prisma\//.test(readFileSync(path.join(inject("programs"), `${program}.js`), "utf8"))

  it.each(["server-program", "api-worker"])("of the API, %s, holds nothing of Prisma", (program) => {
    expect(holdsPrisma(program)).toBe(false)
  })

  it("of the operator's commands holds it", () => {
    expect(holdsPrisma("operator-program")).toBe(true)
  })
})
