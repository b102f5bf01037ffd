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

/** Returns the folders of code with changed files. Their tests are the ones that a change breaks first. */
function foldersOf(files) {
  const folders = files.filter((file) => /\.(ts|tsx|mjs|sql)$/.test(file)).map((file) => path.posix.dirname(file))
  return [...new Set(folders)].filter((folder) => folder !== ".").map((folder) => `${folder}/`)
}

await main(async () => {
  process.chdir(ROOT)
  const start = performance.now()
  await ensureInstalled()
  await Promise.all(["lint", "types"].map((script) => run("npm", ["run", "--silent", script])))
  const folders = foldersOf(await changedFiles())
  const options = ["run", "--project=!slow", "--passWithNoTests"]
  if (folders.length > 0) await run(bin("vitest"), [...options, ...folders], { env: { NODE_ENV: "test" } })
  console.log(`Checked in ${secondsSince(start)}.`)
})
