import path from "node:path"
import { ensureBuilt } from "./build.mjs"
import { main } from "./progress.mjs"
import { bin, DIST, ROOT } from "./project.mjs"
import { run } from "./run.mjs"

/** A bad setting is told before a minute of building: the server's own check, on the sources. */
const checkSettings = () => run(bin("tsx"), ["scripts/check-settings.ts"])

await main(async () => {
  process.chdir(ROOT)
  process.env.NODE_ENV = "production"
  await ensureBuilt(checkSettings)
  // In this process, not a child: signals reach the server itself, and a kill leaves no orphan on the port.
  process.setSourceMapsEnabled(true)
  await import(path.join(DIST, "server.js"))
})
