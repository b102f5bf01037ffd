import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { parse, parseAllDocuments } from "yaml"
import { createMetrics } from "@/lib/server/platform/metrics"
import { Settings } from "@/lib/server/platform/settings"

const read = (file: string): string => readFileSync(file, "utf8")

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
  expect(named.filter((name = "") => !(name in Settings.shape))).toEqual([])
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
