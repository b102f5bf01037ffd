import type { TestProject } from "vitest/node"
import { type Cluster, startCluster } from "./postgres-cluster"
import { installSdks } from "./sdks"

declare module "vitest" {
  export interface ProvidedContext {
    postgres: Cluster
  }
}

export default async function setup(project: TestProject) {
  installSdks()
  const { cluster, stop } = await startCluster()
  project.provide("postgres", cluster)
  return stop
}
