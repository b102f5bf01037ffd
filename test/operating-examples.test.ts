import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { parse, parseAllDocuments } from "yaml"
import { DIALECTS } from "@/lib/server/dialects/dialects"
import { createMetrics } from "@/lib/server/platform/metrics"
import { Settings } from "@/lib/server/platform/settings"
import { IDLE } from "./metrics-snapshot"

const read = (file: string): string => readFileSync(file, "utf8")

interface Variable {
  name: string
}

interface Manifest {
  kind: string
  spec: { template?: Template; jobTemplate?: { spec: { template: Template } } }
}

interface Template {
  spec: { containers: { name: string; command?: string[]; env: Variable[] }[] }
}

test("the examples set only settings that the service reads", () => {
  const compose = parse(read("compose.yaml")) as { services: { service: { environment: object } } }
  const manifests = parseAllDocuments(read("docs/operating/kubernetes.yaml")).map(
    (document) => document.toJS() as Manifest,
  )
  const containers = manifests.flatMap(
    ({ spec }) => (spec.template ?? spec.jobTemplate?.spec.template)?.spec.containers ?? [],
  )
  expect(manifests.map(({ kind }) => kind)).toEqual([
    ...["Job", "PersistentVolumeClaim", "CronJob", "Deployment", "Deployment", "Service", "Service"],
    ...["PodDisruptionBudget", "PodDisruptionBudget", "Ingress"],
  ])
  expect(containers.map(({ name }) => name)).toEqual(["migrate", "backup", "api", "console"])
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
  expect(named.filter((name = "") => !(name in Settings.shape))).toEqual([])
})

test("the ingress sends the contract and the paths of dialects to the API", () => {
  const documents = parseAllDocuments(read("docs/operating/kubernetes.yaml")).map((document) => document.toJS())
  const { paths } = documents.find(({ kind }) => kind === "Ingress").spec.rules[0].http
  const ofApi = (paths as { path: string; backend: { service: { name: string } } }[])
    .filter(({ backend }) => backend.service.name === "decisions-api")
    .map(({ path }) => path)
  const bases = ["/v1", ...DIALECTS.flatMap((dialect) => dialect.bases)]
  expect(ofApi.toSorted()).toEqual(bases.map((base) => `${base}/`).toSorted())
})

/** Renders every metric, after a run of a job and a mail that failed. */
function renderAll(): Promise<string> {
  const metrics = createMetrics({ ofProcess: true })
  metrics.job("backup", true)
  metrics.mail("failed")
  return metrics.render({
    ...IDLE,
    ...{ openHolds: 0, backupAgeSeconds: 0, rehearsalAgeSeconds: 0, redis: "ok", workers: { wanted: 2, ready: 1 } },
    ...{ readiness: "ok", isConsoleUp: true, ledgerDrift: 0, clockSkewSeconds: 0 },
    engines: [{ model: "m-1", available: true }],
  })
}

test("no metric has a label that Prometheus sets itself", async () => {
  const text = await renderAll()
  expect(text).toContain('svc_job_failing{job_name="backup"} 1')
  expect(text).not.toMatch(/[{,](job|instance)="/)
})

interface Cases {
  tests: { alert_rule_test: { alertname: string; exp_alerts: object[] }[] }[]
}

test("every alert rule has a case in which it is silent, and one in which it fires", () => {
  const { groups } = parse(read("docs/operating/alerts.yml")) as { groups: { rules: { alert: string }[] }[] }
  const { tests } = parse(read("test/alert-rules.yml")) as Cases
  const cases = tests.flatMap(({ alert_rule_test }) => alert_rule_test)
  const has = (alert: string, fires: boolean) =>
    cases.some(({ alertname, exp_alerts }) => alertname === alert && exp_alerts.length > 0 === fires)
  const rules = groups.flatMap((group) => group.rules.map(({ alert }) => alert))
  expect(rules).toContain("NotReady")
  expect(rules.filter((alert) => !has(alert, false) || !has(alert, true))).toEqual([])
})

test.each(["alerts.yml", "grafana-dashboard.json"])("%s names only metrics that the service has", async (file) => {
  const text = await renderAll()
  const metrics = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
  const series = new Set(read(`docs/operating/${file}`).match(/\b(svc|nodejs|process)_[a-z0-9_]+/g))
  expect(series.size).toBeGreaterThan(6)
  const unknown = [...series].filter((name) => !metrics.includes(name.replace(/_(bucket|sum|count)$/, "")))
  expect(unknown).toEqual([])
})

test("an upgrade packs the new version before it stops the service", () => {
  const [, block = ""] = read("docs/operating/upgrades-and-backups.md").split("**One process.**")
  const commands = block.split("```")[1]?.replace("sh\n", "").trim() ?? ""
  const steps = commands.split("\n").map((line) => line.match(/^(?:npm run pack|systemctl \w+|\w+)|migrate/)?.[0])
  expect(steps).toEqual(["npm run pack", "migrate", "systemctl stop", "mv", "mv", "systemctl start", "rm"])
  const [, folder] = commands.match(/pack -- (\S+)\.next/) ?? []
  const unit = read("docs/operating/decision-service.service")
  expect(unit).toContain(`WorkingDirectory=${folder}\n`)
  expect(unit).toContain(`pack into ${folder}.next first, then stop`)
})
