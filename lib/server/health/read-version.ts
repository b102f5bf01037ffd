import { readFile } from "node:fs/promises"
import type { Runtime } from "@/lib/server/platform/runtime"

export interface Version {
  release: string
  /** Null while developing. */
  build: string | null
}

/** Reads the version of the working folder. */
export async function readVersion({ env }: Pick<Runtime, "env">): Promise<Version> {
  const { version } = JSON.parse(await readFile("package.json", "utf8"))
  const build = await readFile(".next/BUILD_ID", "utf8").catch(() => null)
  return { release: version, build: env.isDevelopment ? null : (build?.trim() ?? null) }
}
