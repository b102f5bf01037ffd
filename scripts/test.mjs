import fs from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { ensureBrowser } from "./browser.mjs"
import { ensureBuilt } from "./build.mjs"
import { ensureInstalled } from "./install.mjs"
import { main, secondsSince } from "./progress.mjs"
import { bin, ROOT } from "./project.mjs"
import { ProgramFailed, run } from "./run.mjs"
import { readReport, slowest } from "./test-reports.mjs"

/** The projects of Vitest and Playwright in each suite. */
const SUITES = {
  fast: { vitest: ["shared", "isolated"], playwright: ["first pages", "other pages"] },
  slow: { vitest: ["slow"], playwright: ["slow"] },
}

const reports = await fs.mkdtemp(path.join(tmpdir(), "svcd-reports-"))
/** What ran, as `readReport` describes it. */
const tests = []
let hasFailed = false

/** Runs a stage and prints how long it took. Returns whether it passed. */
async function stage(title, work) {
  const start = performance.now()
  console.log(`\n── ${title}`)
  try {
    await work()
    console.log(`── ${title}: passed in ${secondsSince(start)}`)
    return true
  } catch (error) {
    console.log(`── ${title}: failed after ${secondsSince(start)}`)
    if (!(error instanceof ProgramFailed)) throw error
    if (error.output) console.error(error.output.trimEnd())
    hasFailed = true
    return false
  }
}

/** Runs a test runner that writes a JSON report, and adds its tests to those of the run. */
async function runTests(name, args, report, env = {}) {
  try {
    await run(bin(name), args, { env })
  } finally {
    tests.push(...(await readReport(report)))
  }
}

const projects = (names) => names.map((name) => `--project=${name}`)

function unitTests(suite) {
  const report = path.join(reports, `${suite}-vitest.json`)
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`]
  return runTests("vitest", ["run", ...projects(SUITES[suite].vitest), ...reporters], report, { NODE_ENV: "test" })
}

function endToEndTests(suite) {
  const report = path.join(reports, `${suite}-playwright.json`)
  const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: report }
  return runTests("playwright", ["test", ...projects(SUITES[suite].playwright)], report, env)
}

/**
 * The fast end-to-end tests begin when the build has ended, beside the other tests, which wait half of the time. Slow tests load
 * the machine or measure, so those in a browser begin when the others have ended.
 */
async function runSuite(suite) {
  const unit = stage(`${suite} unit and integration tests`, () => unitTests(suite))
  const isBuilt = await stage("build", () => ensureBuilt())
  if (suite === "slow") await unit
  if (isBuilt) await stage(`${suite} end-to-end tests`, () => endToEndTests(suite))
  await unit
}

async function runAll(suites) {
  const npm = (script) => stage(script, () => run("npm", ["run", "--silent", script]))
  const areClean = await Promise.all([npm("lint"), npm("types")])
  if (!areClean.every(Boolean)) return
  for (const suite of suites) await runSuite(suite)
}

/** Lines of a failure's message that are printed again at the end, because the end is what a reader of a long log sees. */
const MESSAGE_LINES = 25

function printFailures() {
  for (const { name, message = "" } of tests.filter(({ status }) => status === "failed")) {
    const lines = message.split("\n").slice(0, MESSAGE_LINES)
    console.log(`\nFailed: ${name}`)
    for (const line of lines) console.log(`  ${line}`)
  }
}

function printResults(start) {
  if (tests.length > 0) console.log("\nThe slowest tests:")
  for (const { seconds, name } of slowest(tests, 20)) console.log(`${seconds.toFixed(1).padStart(6)} s  ${name}`)
  const count = (status) => tests.filter((test) => test.status === status).length
  printFailures()
  console.log(`\nThe whole run took ${secondsSince(start)}.`)
  // Lint, types and build are not tests, but a run that they stop has failed.
  console.log(`${count("passed")} passed, ${Math.max(count("failed"), Number(hasFailed))} failed`)
}

await main(async () => {
  process.chdir(ROOT)
  const start = performance.now()
  const suites = process.argv.slice(2)
  await ensureInstalled()
  await ensureBrowser()
  try {
    await runAll(suites.length > 0 ? suites : ["fast"])
  } catch (error) {
    hasFailed = true
    throw error
  } finally {
    await fs.rm(reports, { recursive: true, force: true })
    printResults(start)
    if (hasFailed) process.exitCode = 1
  }
})
