import { execFileSync } from "node:child_process"
import path from "node:path"
import { expect, test } from "vitest"
import { testRuntime } from "@/test/database"
import { printFigure } from "@/test/figures"
import { insertFastKey } from "@/test/insert-rows"
import { NODE_MAJORS, nodeFolder, sdksInstalled } from "@/test/sdks"
import { sendDecision } from "@/test/send-decision"
import { startServer } from "@/test/server-process"

await sdksInstalled()
const { databaseUrl } = await testRuntime()

test.each(NODE_MAJORS)("a build answers a decision on Node %s", async (major) => {
  const node = path.join(nodeFolder(major), "node")
  const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim()
  expect(version).toMatch(new RegExp(`^v${major}\\.`))
  const start = performance.now()
  const server = await startServer(databaseUrl, {}, undefined, node)
  const { token } = await insertFastKey()
  const response = await sendDecision(server.url, token)
  printFigure(`first answer on ${version}, ms after the start`, Math.round(performance.now() - start))
  expect(response.status).toBe(200)
  server.signal("SIGTERM")
  expect(await server.ended).toBe(0)
})
