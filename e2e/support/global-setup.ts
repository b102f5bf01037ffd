import { startCluster } from "@/test/postgres-cluster"
import { provideCluster } from "./database"

/** Starts one PostgreSQL for the whole run. Services get databases of their own on it. */
export default async function setup(): Promise<() => Promise<void>> {
  const { cluster, stop } = await startCluster()
  provideCluster(cluster)
  return stop
}
