import { rm } from "node:fs/promises"
import path from "node:path"
import type { TestProject } from "vitest/node"
import { bundleServer } from "@/scripts/build.mjs"
import { ensureGenerated } from "@/scripts/generate.mjs"
import { type Cluster, startCluster } from "./postgres-cluster"

declare module "vitest" {
  export interface ProvidedContext {
    postgres: Cluster
    /** The folder of the bundled programs, also those of tests. From source, each start takes two seconds of processor time longer. */
    programs: string
  }
}

const OF_TESTS = [
  { in: "test/spend-process.ts", out: "spend-process" },
  { in: "test/allowance-process.ts", out: "allowance-process" },
  { in: "test/doubles/engine-host.ts", out: "engine-host" },
]

export default async function setup(project: TestProject) {
  await ensureGenerated()
  const programs = path.resolve(`dist/tests-${process.pid}`)
  const [{ cluster, stop }] = await Promise.all([startCluster(), bundleServer(programs, OF_TESTS)])
  project.provide("postgres", cluster)
  project.provide("programs", programs)
  return async () => {
    await stop()
    await rm(programs, { recursive: true, force: true })
  }
}
