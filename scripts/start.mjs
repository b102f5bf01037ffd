import path from "node:path"
import { ensureBuilt } from "./build.mjs"
import { main } from "./progress.mjs"
import { bin, DIST, ROOT } from "./project.mjs"
import { run } from "./run.mjs"

/** Reports a bad setting before the build begins, with the server's own check. */
const checkSettings = () => run(bin("tsx"), ["scripts/check-settings.ts"])

await main(async () => {
  process.chdir(ROOT)
  process.env.NODE_ENV = "production"
  await ensureBuilt(checkSettings)
  // The server runs in this process: it receives signals itself, and a kill leaves no orphan on the port.
  process.setSourceMapsEnabled(true)
  await import(path.join(DIST, "server.js"))
})
