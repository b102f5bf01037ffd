import { defineConfig, devices } from "@playwright/test"
import { findBrowser } from "./scripts/browser.mjs"

const launchOptions = {
  executablePath: findBrowser(),
  // Chromium refuses its sandbox to root.
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
}

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  outputDir: "test-results",
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [["line"], ["json"]] : "line",
  retries: 0,
  workers: 1,
  forbidOnly: true,
  timeout: 60_000,
  use: { launchOptions, trace: "retain-on-failure", actionTimeout: 15_000 },
  projects: [
    { name: "desktop", use: devices["Desktop Chrome"], grepInvert: /@phone/ },
    { name: "phone", use: { ...devices["Pixel 7"], viewport: { width: 360, height: 740 } }, grep: /@phone/ },
  ],
})
