import { readFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, inject, it } from "vitest"
import { testRuntime } from "@/test/database"
import { insertAccount } from "@/test/insert-rows"
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

describe("a bundle", () => {
  const holdsPrisma = (program: string) =>
    /PrismaClient|@prisma\//.test(readFileSync(path.join(inject("programs"), `${program}.js`), "utf8"))

  it.each(["server", "api-worker"])("of the API, %s, holds nothing of Prisma", (program) => {
    expect(holdsPrisma(program)).toBe(false)
  })

  it("of the operator's commands holds it", () => {
    expect(holdsPrisma("operator")).toBe(true)
  })
})
