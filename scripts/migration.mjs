import { ensureInstalled } from "./install.mjs"
import { main } from "./progress.mjs"
import { ROOT } from "./project.mjs"

await main(async () => {
  await ensureInstalled()
  const { tsImport } = await import("tsx/esm/api")
  const { writeMigration } = await tsImport("./write-migration.ts", import.meta.url)
  const file = await writeMigration(ROOT, process.argv[2] ?? "")
  console.log(`Wrote ${file}. Read it, and add what the schema cannot express, such as a CHECK.`)
})
