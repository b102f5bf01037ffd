import { rm } from "node:fs/promises"
import path from "node:path"
import { bundle } from "@/scripts/build.mjs"
import { startCluster } from "@/test/postgres-cluster"
import { provideCluster } from "./database"
import { provideOperator } from "./operator"

export default async function setup(): Promise<() => Promise<void>> {
  const programs = path.resolve(`dist/e2e-${process.pid}`)
  const entryPoints = [{ in: "e2e/support/in-process-operator.ts", out: "operator" }]
  const [{ cluster, stop }] = await Promise.all([startCluster(), bundle(entryPoints, programs)])
  provideCluster(cluster)
  provideOperator(path.join(programs, "operator.js"))
  return async () => {
    await stop()
    await rm(programs, { recursive: true, force: true })
  }
}
