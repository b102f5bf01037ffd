import { defineConfig, devices } from "@playwright/test"
import { findBrowser } from "./scripts/browser.mjs"
import { memoryHasRoom } from "./test/memory-folder"

/** More than the browsers of three workers share. */
const SHARED_BYTES = 2e9

const launchOptions = {
  executablePath: findBrowser(),
  // Without a graphics card, drawing through the emulated one costs more than drawing in software. Chromium's sandbox does not
  // work for root. Tests leave a page after seconds, before optimizing its scripts pays: without it they take 7 % less time.
  args: ["--disable-gpu", "--js-flags=--no-opt --no-maglev", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
  // Playwright has Chromium share memory through files in /tmp. Without it, two specs took a tenth less processor time.
  ignoreDefaultArgs: memoryHasRoom(SHARED_BYTES) ? ["--disable-dev-shm-usage"] : [],
}

/** What only `npm run test:slow` runs. */
const SLOW = /\.slow\.spec\.ts$/
/** Specs that take half of the time of all fast ones. A worker runs each half, so a spec always shares its service with the same others. */
const FIRST_HALF = /\/[a-l][^/]*\.spec\.ts$/

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  globalSetup: "./e2e/support/global-setup.ts",
  outputDir: "test-results",
  // A bundle needs no other transformation.
  build: { external: ["**/dist/**"] },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [["line"], ["json"]] : "line",
  retries: 0,
  workers: 3,
  forbidOnly: true,
  // For a machine that runs other suites, so that only a test that hangs needs more. One that succeeds at once takes no longer.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  // A failure leaves a screenshot and the page's text. A trace would record every test's screen, a fifth of the run's CPU time:
  // `npx playwright test --trace on` records one.
  use: { ...devices["Desktop Chrome"], launchOptions, screenshot: "only-on-failure", actionTimeout: 60_000 },
  projects: [
    // Two workers keep both processors busy.
    { name: "first pages", testMatch: FIRST_HALF, testIgnore: SLOW, workers: 1 },
    { name: "other pages", testIgnore: [FIRST_HALF, SLOW], workers: 1 },
    // They visit every page, write every mail, kill processes under load, start several services, or go through long journeys.
    { name: "slow", testMatch: SLOW, workers: 1 },
  ],
})
