import { execFile } from "node:child_process"
import { copyFile, readdir, readFile, rm, utimes } from "node:fs/promises"
import path from "node:path"
import { promisify } from "node:util"
import { expect, inject, test } from "vitest"
import { parseAllDocuments } from "yaml"
import { seedModels } from "@/lib/server/models/seed-models"
import { testRuntime } from "./database"
import { startServer } from "./server-process"
import { tempFolder } from "./temp-folder"

const run = promisify(execFile)

/** Runs a program's own check of a file and returns its warnings. Rejects with its errors, or names the missing package, one of Debian by default. */
async function check(
  source: string,
  program: string,
  args: string[],
  { env = {}, input = "" }: { env?: Record<string, string>; input?: string } = {},
) {
  const { PATH } = process.env
  const result = run(program, args, { env: { NODE_ENV: "test", PATH: `${PATH}:/usr/sbin`, HOME: "/tmp", ...env } })
  result.child.stdin?.end(input)
  const { stderr } = await result.catch((error: NodeJS.ErrnoException & { stderr?: string; stdout?: string }) => {
    if (error.code === "ENOENT") throw new Error(`${program} is missing. Install the package ${source}`)
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

test("Kubernetes accepts its example", async () => {
  const file = ["--kubernetes-version", "1.37", "--strict", "docs/operating/kubernetes.yaml"]
  await check("of Python kubernetes-validate", "kubernetes-validate", file)
})

interface BackupJob {
  kind: string
  spec: { jobTemplate: { spec: { template: { spec: { containers: { command: string[] }[] } } } } }
}

test("the command of the backup job writes a backup and keeps the newest ones", async () => {
  const app = await testRuntime()
  const manifests = parseAllDocuments(await readFile("docs/operating/kubernetes.yaml", "utf8"))
  const job = manifests.map((manifest) => manifest.toJS() as BackupJob).find(({ kind }) => kind === "CronJob")
  const [shell = "", option = "", line = ""] = job?.spec.jobTemplate.spec.template.spec.containers[0]?.command ?? []
  const folder = tempFolder()
  const older = Array.from({ length: 14 }, (_, day) => `2026-01-${day + 10}-0217.backup`)
  const here = line
    .replace("/backups", folder)
    .replace("dist/operator.js", path.join(inject("programs"), "operator.js"))
  const backUp = async () => {
    const settings = { DATABASE_URL: app.databaseUrl, DATA_DIR: folder }
    await run(shell, [option, here], { env: { NODE_ENV: "test", PATH: process.env.PATH, ...settings } })
    const names = (await readdir(folder)).filter((name) => name.endsWith(".backup"))
    return names.sort()
  }
  const [first = ""] = await backUp()
  for (const [day, name] of older.entries()) {
    await copyFile(path.join(folder, first), path.join(folder, name))
    await utimes(path.join(folder, name), 1_767_000_000 + day, 1_767_000_000 + day)
  }
  await rm(path.join(folder, first))
  const kept = await backUp()
  expect(kept.slice(0, 13)).toEqual(older.slice(1))
  expect(kept).toHaveLength(14)
  expect(kept[13]).toMatch(/^\d{4}-\d\d-\d\d-\d{4}\.backup$/)
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
  await expect.poll(scrape).toContain("svc_api_workers_ready 2\n")
  const scraped = await scrape()
  server.signal("SIGTERM")
  await server.ended
  expect(scraped).toContain('svc_ready{reason="ok"} 1\n')
  expect(scraped).toContain("svc_api_workers_wanted 2\n")
  expect(await check("prometheus", "promtool", ["check", "metrics"], { input: scraped })).toBe("")
})
