import path from "node:path"
import { isBuilt } from "./build.mjs"
import { ensureInstalled } from "./install.mjs"
import { main } from "./progress.mjs"
import { DIST, ROOT } from "./project.mjs"

await main(async () => {
  process.chdir(ROOT)
  process.env.NODE_ENV ??= "production"
  await ensureInstalled()
  if (await isBuilt()) return void (await import(path.join(DIST, "operator.js")))
  const { tsImport } = await import("tsx/esm/api")
  await tsImport("../lib/server/operator/main.ts", import.meta.url)
})
