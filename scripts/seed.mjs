import { ensureInstalled } from "./install.mjs"
import { main } from "./progress.mjs"
import { ROOT } from "./project.mjs"

await main(async () => {
  process.chdir(ROOT)
  process.env.NODE_ENV ??= "production"
  await ensureInstalled()
  const { tsImport } = await import("tsx/esm/api")
  const { seed } = await tsImport("./seed/seed.ts", import.meta.url)
  await seed(process.argv.slice(2))
})
