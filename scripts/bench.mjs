import fs from "node:fs/promises"
import path from "node:path"
import { ensureBuilt } from "./build.mjs"
import { main } from "./progress.mjs"
import { bin, ROOT } from "./project.mjs"
import { run } from "./run.mjs"

await main(async () => {
  process.chdir(ROOT)
  const wanted = process.argv.slice(2)
  const files = (await fs.readdir("bench")).filter((file) => file.endsWith(".ts")).sort()
  const names = files.map((file) => path.basename(file, ".ts"))
  const unknown = wanted.find((name) => !names.includes(name))
  if (unknown) throw new Error(`There is no benchmark ${unknown}; there are: ${names.join(", ")}.`)
  await ensureBuilt()
  for (const name of wanted.length > 0 ? wanted : names) {
    console.log(`\n── ${name}`)
    await run(bin("tsx"), [path.join("bench", `${name}.ts`)], { env: { NODE_ENV: "production" } })
  }
})
