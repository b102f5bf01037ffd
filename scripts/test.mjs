import fs from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { ensureBrowser } from "./browser.mjs"
import { ensureBuilt } from "./build.mjs"
import { ensureInstalled } from "./install.mjs"
import { main, secondsSince } from "./progress.mjs"
import { bin, ROOT } from "./project.mjs"
import { ProgramFailed, run } from "./run.mjs"

const total = { passed: 0, failed: 0 }

/** Adds a test runner's results to the total. A missing JSON report counts as one failure. */
async function count(file, read) {
  const report = await fs.readFile(file, "utf8").then(JSON.parse, () => null)
  const { passed, failed } = report ? read(report) : { passed: 0, failed: 1 }
  total.passed += passed
  total.failed += failed
}

async function unitTests(reports) {
  const file = path.join(reports, "vitest.json")
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${file}`]
  try {
    await run(bin("vitest"), args, { env: { NODE_ENV: "test" } })
  } finally {
    await count(file, (report) => ({ passed: report.numPassedTests, failed: report.numFailedTests }))
  }
}

async function endToEndTests(reports) {
  const file = path.join(reports, "playwright.json")
  try {
    await run(bin("playwright"), ["test"], { env: { PLAYWRIGHT_JSON_OUTPUT_NAME: file } })
  } finally {
    await count(file, ({ stats }) => ({ passed: stats.expected, failed: stats.unexpected + stats.flaky }))
  }
}

async function lint() {
  await run(bin("biome"), ["check", "."])
  for (const script of ["check-imports", "check-words"]) await run(process.execPath, [`lint/${script}.mjs`])
}

async function types() {
  await run(bin("next"), ["typegen"], { quiet: true })
  await run(bin("tsc"), ["--noEmit"])
}

async function stage(title, work) {
  const start = performance.now()
  console.log(`\n── ${title}`)
  let ended = "failed after"
  try {
    await work()
    ended = "passed in"
  } finally {
    console.log(`── ${title}: ${ended} ${secondsSince(start)}`)
  }
}

/** Waits for both, even when one fails. Throws the first one's failure, else the second one's. */
async function both(first, second) {
  const results = await Promise.allSettled([first, second])
  const failed = results.find(({ status }) => status === "rejected")
  if (failed) throw failed.reason
}

async function runAll(reports) {
  await both(stage("lint", lint), stage("types", types))
  // The build uses the processor while the tests wait for timers and PostgreSQL. If one fails, the other still finishes.
  await both(
    stage("unit and integration tests", () => unitTests(reports)),
    stage("build", () => ensureBuilt()),
  )
  await stage("end-to-end tests", () => endToEndTests(reports))
}

await main(async () => {
  process.chdir(ROOT)
  const start = performance.now()
  await ensureInstalled()
  await ensureBrowser()
  const reports = await fs.mkdtemp(path.join(tmpdir(), "svcd-reports-"))
  try {
    await runAll(reports)
  } catch (error) {
    // Lint, types and build are not tests, but a run that they stop has failed.
    total.failed ||= 1
    if (!(error instanceof ProgramFailed)) throw error
    if (error.output) console.error(error.output.trimEnd())
    process.exitCode = 1
  } finally {
    await fs.rm(reports, { recursive: true, force: true })
    console.log(`\nThe whole run took ${secondsSince(start)}.`)
    console.log(`${total.passed} passed, ${total.failed} failed`)
  }
})
