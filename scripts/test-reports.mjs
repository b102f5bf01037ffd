import fs from "node:fs/promises"
import path from "node:path"
import { stripVTControlCharacters } from "node:util"
import { ROOT } from "./project.mjs"

/**
 * @typedef {object} Test
 * @property {string} name the file and the title
 * @property {number} seconds
 * @property {"passed" | "failed" | "skipped"} status
 * @property {string} [message] why it failed
 */

const STATUSES = { expected: "passed", unexpected: "failed", flaky: "failed", passed: "passed", failed: "failed" }

function test(file, title, ms, status, messages = []) {
  const name = `${path.relative(ROOT, path.resolve(ROOT, file))}: ${title}`
  const message = stripVTControlCharacters(messages.join("\n"))
  return { name, seconds: (ms ?? 0) / 1000, status: STATUSES[status] ?? "skipped", message }
}

const ofVitest = ({ testResults }) =>
  testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration, status, failureMessages }) =>
      test(name, fullName, duration, status, failureMessages),
    ),
  )

const ofPlaywright = ({ specs = [], suites = [] }) => [
  ...specs.flatMap(({ file, title, tests }) =>
    tests.map(({ results, status }) => {
      const ms = results.reduce((sum, { duration }) => sum + duration, 0)
      const messages = results.flatMap(({ errors }) => errors.map(({ message }) => message))
      return test(path.join("e2e", file), title, ms, status, messages)
    }),
  ),
  ...suites.flatMap(ofPlaywright),
]

/**
 * Reads a JSON report of Vitest or Playwright. A program that ended before it wrote its report yields one failed test.
 * @returns {Promise<Test[]>}
 */
export async function readReport(file) {
  const report = await fs.readFile(file, "utf8").then(JSON.parse, () => null)
  if (!report) return [test(path.basename(file), "no report was written", 0, "failed")]
  return report.testResults ? ofVitest(report) : ofPlaywright(report)
}

/** Returns the `count` slowest tests, the slowest first. */
export const slowest = (tests, count) => tests.toSorted((a, b) => b.seconds - a.seconds).slice(0, count)
