import { createHash } from "node:crypto"
import fs from "node:fs/promises"
import path from "node:path"
import { ROOT } from "./project.mjs"

const FOLDERS = ["app", "components", "lib", "public", "questions", "scripts/licenses"]
const FILES = [
  "server.ts",
  "instrumentation.ts",
  "instrumentation-client.ts",
  "next.config.ts",
  "postcss.config.mjs",
  "tsconfig.json",
  "package-lock.json",
  "prisma/schema.prisma",
  "scripts/build.mjs",
  "scripts/licenses.mjs",
  "scripts/require-machine.mjs",
]
const SKIPPED = /\.test\.tsx?$/

/** Returns `instead` for what does not exist. Other errors, such as a missing right, would make every build look like the same one. */
const unlessAbsent = (instead) => (error) => {
  if (error.code === "ENOENT") return instead
  throw new Error(`A source of the build cannot be read: ${error.message}`)
}

async function sources() {
  const lists = FOLDERS.map(async (folder) => {
    const entries = await fs
      .readdir(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
      .catch(unlessAbsent([]))
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)))
  })
  return [...FILES, ...(await Promise.all(lists)).flat()].filter((file) => !SKIPPED.test(file)).sort()
}

/** Returns a hash of the content of every source of a build. Modification times and the machine do not change it. */
export async function fingerprint() {
  const hash = createHash("sha256")
  const files = await sources()
  const read = (file) => fs.readFile(path.join(ROOT, file)).catch(unlessAbsent("absent"))
  const contents = await Promise.all(files.map(read))
  for (const [index, file] of files.entries()) {
    hash.update(`\0${file}\0`).update(createHash("sha256").update(contents[index]).digest())
  }
  return hash.digest("hex")
}
