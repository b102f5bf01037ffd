import { readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { CLIENTS, clientsTable } from "./register"

test("the docs list the packages of the register", async () => {
  expect(await readFile("docs/guide/sdks.md", "utf8")).toContain(`\n${clientsTable()}\n`)
})

test("the versions that the tests install are those of the register", async () => {
  const installed = (await readFile("test/clients/packages.txt", "utf8")).split("\n")
  for (const { name, version } of CLIENTS) expect(installed).toContain(`${name}==${version}`)
})
