import { existsSync } from "node:fs"
import path from "node:path"
import { ensureInstalled } from "./install.mjs"
import { main, secondsSince } from "./progress.mjs"
import { bin, ROOT } from "./project.mjs"
import { run } from "./run.mjs"

const git = async (...args) => (await run("git", args, { quiet: true })).split("\n").filter(Boolean)

/** Returns the files that differ from the last commit, or those of the last commit when nothing does. */
async function changedFiles() {
  const changed = await git("diff", "--name-only", "HEAD")
  const added = await git("ls-files", "--others", "--exclude-standard")
  const all = [...changed, ...added]
  return all.length > 0 ? all : git("diff", "--name-only", "HEAD~1")
}

/** Returns the tests beside the changed code, which a change breaks first. Those of folders below would take minutes. */
async function testsBeside(files) {
  const code = files.filter((file) => /\.(ts|tsx|mjs|sql)$/.test(file))
  const folders = [...new Set(code.map((file) => path.posix.dirname(file)))]
  const listed = await git("ls-files", "--cached", "--others", "--exclude-standard", "*.test.ts", "*.test.tsx")
  return listed.filter((test) => folders.includes(path.posix.dirname(test)) && existsSync(test))
}

await main(async () => {
  process.chdir(ROOT)
  const start = performance.now()
  await ensureInstalled()
  await Promise.all(["lint", "types"].map((script) => run("npm", ["run", "--silent", script])))
  const tests = await testsBeside(await changedFiles())
  const options = ["run", "--project=!slow", "--passWithNoTests"]
  if (tests.length > 0) await run(bin("vitest"), [...options, ...tests], { env: { NODE_ENV: "test" } })
  console.log(`Checked in ${secondsSince(start)}.`)
})
