import { randomBytes } from "node:crypto"
import { type Cluster, createDatabase } from "@/test/postgres-cluster"

const VARIABLE = "E2E_POSTGRES"

/** Passes the run's cluster on to Playwright's workers, which inherit this process's environment. */
export function provideCluster(cluster: Cluster): void {
  process.env[VARIABLE] = JSON.stringify(cluster)
}

export function newDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const cluster: Cluster = JSON.parse(process.env[VARIABLE] ?? "")
  return createDatabase(cluster, `e2e_${randomBytes(8).toString("hex")}`)
}
