import { rm } from "node:fs/promises"
import path from "node:path"
import type { TestProject } from "vitest/node"
import { bundleServer } from "@/scripts/build.mjs"
import { type Cluster, startCluster } from "./postgres-cluster"
import { installSdks } from "./sdks"

declare module "vitest" {
  export interface ProvidedContext {
    postgres: Cluster
    /** The folder of the bundled server and commands. From source, each start takes a second of processor time longer. */
    programs: string
  }
}

export default async function setup(project: TestProject) {
  installSdks()
  const programs = path.resolve(`dist/tests-${process.pid}`)
  const [{ cluster, stop }] = await Promise.all([startCluster(), bundleServer(programs)])
  project.provide("postgres", cluster)
  project.provide("programs", programs)
  return async () => {
    await stop()
    await rm(programs, { recursive: true, force: true })
  }
}
