import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { seedModels } from "@/lib/server/models/seed-models"
import { testRuntime } from "./database"
import { startServer } from "./server-process"

const run = promisify(execFile)

/** Runs a program's own check of a file and returns its warnings. Rejects with its errors, or names the missing Debian package. */
async function check(
  debianPackage: string,
  program: string,
  args: string[],
  { env = {}, input = "" }: { env?: Record<string, string>; input?: string } = {},
) {
  const { PATH } = process.env
  const result = run(program, args, { env: { NODE_ENV: "test", PATH: `${PATH}:/usr/sbin`, HOME: "/tmp", ...env } })
  result.child.stdin?.end(input)
  const { stderr } = await result.catch((error: NodeJS.ErrnoException & { stderr?: string; stdout?: string }) => {
    if (error.code === "ENOENT") throw new Error(`${program} is missing. Install the Debian package ${debianPackage}`)
    throw new Error(`${error.stdout}${error.stderr}`)
  })
  return stderr
}

test("systemd, Prometheus and Caddy accept their examples", async () => {
  // systemd-analyze ends with 0 after warnings, and also prints warnings about the machine's own units.
  const warnings = await check("systemd", "systemd-analyze", ["verify", "docs/operating/decision-service.service"])
  expect(warnings).not.toContain("decision-service.service")
  await check("prometheus", "promtool", ["check", "rules", "docs/operating/alerts.yml"])
  const caddyfile = ["validate", "--adapter", "caddyfile", "--config", "docs/operating/Caddyfile"]
  await check("caddy", "caddy", caddyfile, { env: { DOMAIN: "decide.example.com" } })
})

test("every alert fires in its cases, with the text that they state, and in no other", async () => {
  await check("prometheus", "promtool", ["test", "rules", "test/alert-rules.yml"])
})

test("Prometheus finds no fault in the names, types and help texts of a scrape of two workers", async () => {
  const app = await testRuntime()
  await seedModels(app, null)
  const server = await startServer(app.databaseUrl, { API_WORKERS: "2" }, 150_000)
  const scrape = async () => (await fetch(`${server.url}/metrics`)).text()
  // The second worker may be ready later.
  await expect.poll(scrape, { timeout: 60_000 }).toContain("svc_api_workers_ready 2\n")
  const scraped = await scrape()
  server.signal("SIGTERM")
  await server.ended
  expect(scraped).toContain('svc_ready{reason="ok"} 1\n')
  expect(scraped).toContain("svc_api_workers_wanted 2\n")
  expect(await check("prometheus", "promtool", ["check", "metrics"], { input: scraped })).toBe("")
})
