import { spawn } from "node:child_process"
import fs from "node:fs/promises"
import path from "node:path"
import { thirdPartyLicenses } from "./licenses.mjs"
import { ROOT } from "./project.mjs"

/** Returns a program's output, and an error's text for one that cannot be started. */
const outputOf = (root, command, args) =>
  new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] })
    let output = ""
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        output += chunk
      })
    child.on("error", ({ message }) => resolve(message))
    child.on("close", () => resolve(output))
  })

const ok = (text) => ({ state: "ok", text })
const missing = (text) => ({ state: "missing", text })
const unknown = (text) => ({ state: "unknown", text })

async function changelog(root, version) {
  const text = await fs.readFile(path.join(root, "CHANGELOG.md"), "utf8")
  const [first = "", ...rest] = text.split(/^## /m).slice(1)
  const isUnreleased = first.startsWith("Unreleased\n")
  if (isUnreleased && /^- /m.test(first))
    return missing(`CHANGELOG.md has changes under "Unreleased": move them to "${version}"`)
  const [section = ""] = isUnreleased ? rest : [first]
  return section.startsWith(`${version}\n`)
    ? ok(`CHANGELOG.md describes ${version}`)
    : missing(`CHANGELOG.md does not begin with the version of package.json, ${version}`)
}

async function dump(root, version) {
  const files = [`${version}.sql.gz`, `${version}.backup`].map((name) => `test/releases/${name}`)
  const isThere = await Promise.all(
    files.map((file) =>
      fs.access(path.join(root, file)).then(
        () => true,
        () => false,
      ),
    ),
  )
  const absent = files.filter((_, index) => !isThere[index])
  if (absent.length > 0) return missing(`${absent.join(" and ")} not found: run npm run freeze`)
  return ok(`test/releases has the database of ${version}`)
}

const licenses = (root) =>
  thirdPartyLicenses(root).then(
    () => ok("Every delivered package has an allowed license and its text"),
    (error) => missing(error.message),
  )

/** Asks npm's registry for known advisories of delivered packages. A registry without that service says nothing about them. */
async function advisories(root) {
  const output = await outputOf(root, "npm", ["audit", "--omit=dev", "--json"])
  const report = (() => {
    try {
      return JSON.parse(output)
    } catch {
      return { message: output.trim().split("\n")[0] }
    }
  })()
  const counts = report.metadata?.vulnerabilities
  // npm reports its own errors, such as those of the lock file, below `error`.
  const reason = report.message ?? report.error?.summary
  if (!counts) return unknown(`Advisories of packages were not checked, because npm audit failed: ${reason}`)
  if (counts.total === 0) return ok("npm audit knows no advisory of a delivered package")
  return missing(`npm audit knows ${counts.total} advisories: ${Object.keys(report.vulnerabilities).join(", ")}`)
}

/** Returns what a release of the project in this folder needs: each point as ok, missing, or unknown where it could not be checked. */
export async function releaseNeeds(root) {
  const { version } = JSON.parse(await fs.readFile(path.join(root, "package.json"), "utf8"))
  return Promise.all([changelog(root, version), dump(root, version), licenses(root), advisories(root)])
}

if (process.argv[1] === import.meta.filename) {
  const points = await releaseNeeds(ROOT)
  for (const { state, text } of points) process.stdout.write(`${state.padEnd(8)}${text}\n`)
  if (points.some(({ state }) => state === "missing")) process.exitCode = 1
}
