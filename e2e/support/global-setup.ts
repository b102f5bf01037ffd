import { startCluster } from "@/test/postgres-cluster"
import { provideCluster } from "./database"

export default async function setup(): Promise<() => Promise<void>> {
  const { cluster, stop } = await startCluster()
  provideCluster(cluster)
  return stop
}
