import { createHash } from "node:crypto"
import fs from "node:fs/promises"
import path from "node:path"
import { withLock } from "./lock.mjs"
import { main, step } from "./progress.mjs"
import { bin, ROOT } from "./project.mjs"
import { run } from "./run.mjs"

const SCHEMA = path.join(ROOT, "prisma/schema.prisma")
const CLIENT = path.join(ROOT, "prisma/client")
const STAMP = path.join(CLIENT, ".stamp")
/**
 * The command looks for a schema engine before it generates, although generating needs none. It would download one unless this names
 * a program. It also reports its use unless a setting forbids that.
 */
const OFFLINE = {
  PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
  CHECKPOINT_DISABLE: "1",
  PRISMA_HIDE_UPDATE_MESSAGE: "1",
}

async function fingerprint() {
  const files = [SCHEMA, path.join(ROOT, "node_modules/prisma/package.json")]
  const contents = await Promise.all(files.map((file) => fs.readFile(file)))
  return contents.reduce((hash, content) => hash.update(content), createHash("sha256")).digest("hex")
}

const isGenerated = async () => (await fs.readFile(STAMP, "utf8").catch(() => "")) === (await fingerprint())

/** The stamp is written last, so that a failed or killed run is repeated. */
async function generate() {
  await fs.rm(CLIENT, { recursive: true, force: true })
  const made = await fingerprint()
  await step("Generating the database client", () => run(bin("prisma"), ["generate"], { env: OFFLINE, quiet: true }))
  await fs.writeFile(STAMP, made)
}

/** Generates `prisma/client` from the schema, offline, if it is missing or out of date. Needs installed packages. */
export async function ensureGenerated() {
  if (await isGenerated()) return
  await withLock(async () => {
    if (!(await isGenerated())) await generate()
  })
}

if (process.argv[1] === import.meta.filename) await main(ensureGenerated)
