import { ensureInstalled } from "./install.mjs"
import { main } from "./progress.mjs"
import { bin, ROOT } from "./project.mjs"
import { run } from "./run.mjs"

// Next reloads pages and components itself; the server restarts only for what it has loaded.
const IGNORED = ["app/**", "components/**", ".next/**", ".data/**", "dist/**", "lib/db/generated/**", "**/*.test.ts"]

await main(async () => {
  process.chdir(ROOT)
  await ensureInstalled()
  const ignored = IGNORED.map((pattern) => `--exclude=${pattern}`)
  await run(bin("tsx"), ["watch", "--clear-screen=false", ...ignored, "server.ts"], {
    env: { NODE_ENV: "development" },
  })
})
