import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { parse, parseAllDocuments } from "yaml"
import { createMetrics } from "@/lib/server/platform/metrics"

const run = promisify(execFile)
const read = (file: string): string => readFileSync(file, "utf8")

/** Runs a program's own check of a file and returns its warnings. Rejects with its errors, or names the missing Debian package. */
async function check(debianPackage: string, program: string, args: string[], env: Record<string, string> = {}) {
  const { PATH } = process.env
  const result = run(program, args, { env: { NODE_ENV: "test", PATH: `${PATH}:/usr/sbin`, HOME: "/tmp", ...env } })
  const { stderr } = await result.catch((error: NodeJS.ErrnoException & { stderr?: string }) => {
    if (error.code === "ENOENT") throw new Error(`${program} is missing. Install the Debian package ${debianPackage}`)
    throw new Error(error.stderr)
  })
  return stderr
}

test("systemd, Prometheus and Caddy accept their examples", async () => {
  // systemd-analyze ends with 0 after warnings, and also prints warnings about the machine's own units.
  const warnings = await check("systemd", "systemd-analyze", ["verify", "docs/operating/decision-service.service"])
  expect(warnings).not.toContain("decision-service.service")
  await check("prometheus", "promtool", ["check", "rules", "docs/operating/alerts.yml"])
  const caddyfile = ["validate", "--adapter", "caddyfile", "--config", "docs/operating/Caddyfile"]
  await check("caddy", "caddy", caddyfile, { DOMAIN: "decide.example.com" })
})

test("a database without a backup, and one with an old backup, raise their alert", async () => {
  await check("prometheus", "promtool", ["test", "rules", "test/alert-rules.yml"])
})

const settings = [...read("lib/server/platform/env.ts").matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name)

interface Variable {
  name: string
}

interface Manifest {
  kind: string
  spec: { template?: { spec: { containers: { env: Variable[] }[] } } }
}

test("the examples set only settings that the service reads", () => {
  const compose = parse(read("compose.yaml")) as { services: { service: { environment: object } } }
  const manifests = parseAllDocuments(read("docs/operating/kubernetes.yaml")).map(
    (document) => document.toJS() as Manifest,
  )
  const containers = manifests.flatMap(({ spec }) => spec.template?.spec.containers ?? [])
  expect(manifests.map(({ kind }) => kind)).toEqual([
    ...["Job", "Deployment", "Deployment", "Service", "Service"],
    ...["PodDisruptionBudget", "PodDisruptionBudget", "Ingress"],
  ])
  expect(containers).toHaveLength(3)
  const unit = read("docs/operating/decision-service.service").match(/^Environment=(.*)$/m)?.[1] ?? ""
  const image = read("Containerfile").match(/^ENV (.*)$/m)?.[1] ?? ""
  const named = [
    ...Object.keys(compose.services.service.environment),
    ...containers.flatMap(({ env }) => env.map(({ name }) => name)),
    ...[...`${unit} ${image}`.matchAll(/([A-Z_]+)=/g)].map(([, name]) => name),
  ]
  expect(named).toContain("DATABASE_URL")
  expect(named).toContain("DRAIN_S")
  expect(named).toContain("DATA_DIR")
  expect(named.filter((name) => !settings.includes(name))).toEqual([])
})

test.each(["alerts.yml", "grafana-dashboard.json"])("%s names only metrics that the service has", async (file) => {
  const text = await createMetrics({ ofProcess: true }).render({
    ...{ inFlight: 0, openHolds: 0, backupAgeSeconds: 0, partitions: null, redis: "ok", workers: 2 },
    engines: [],
    pool: { open: 2, idle: 1, waiting: 0 },
  })
  const metrics = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
  const series = new Set(read(`docs/operating/${file}`).match(/\b(svc|nodejs|process)_[a-z0-9_]+/g))
  expect(series.size).toBeGreaterThan(6)
  const unknown = [...series].filter((name) => !metrics.includes(name.replace(/_(bucket|sum|count)$/, "")))
  expect(unknown).toEqual([])
})
