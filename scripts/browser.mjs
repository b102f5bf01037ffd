import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import { step } from "./progress.mjs"
import { bin } from "./project.mjs"
import { ProgramFailed, run } from "./run.mjs"

// The first has no window and no browser around the page: it takes three quarters of the processor time of the second.
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome"]
const PLACES = [
  "/usr/bin",
  "/usr/local/bin",
  "/snap/bin",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
]

/** Returns the path of a Chromium on this machine. With undefined, Playwright uses its own. */
export function findBrowser() {
  if (process.env.BROWSER_PATH) return process.env.BROWSER_PATH
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...PLACES]
  const candidates = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...candidates, ...PLACES.filter((place) => place.startsWith("/Applications"))].find((path) =>
    existsSync(path),
  )
}

async function ownBrowserExists() {
  const { chromium } = await import("@playwright/test")
  return existsSync(chromium.executablePath())
}

const succeeds = async (work) => {
  try {
    await work()
    return true
  } catch (error) {
    if (error instanceof ProgramFailed || error.code === "ENOENT") return false
    throw error
  }
}

async function installPackage() {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return false
  const env = { DEBIAN_FRONTEND: "noninteractive" }
  const install = () =>
    run("apt-get", ["install", "-y", "-qq", "chromium-headless-shell", "fonts-liberation"], { env, quiet: true })
  return (
    (await succeeds(install)) || succeeds(() => run("apt-get", ["update", "-qq"], { env, quiet: true }).then(install))
  )
}

/** Finds a browser for the end-to-end tests, or installs one. Throws instructions when neither works. */
export async function ensureBrowser() {
  if (findBrowser() || (await ownBrowserExists())) return
  await step("Installing a browser", async () => {
    if ((await installPackage()) && findBrowser()) return
    if (await succeeds(() => run(bin("playwright"), ["install", "chromium"], { quiet: true }))) return
    throw new Error(
      "The end-to-end tests need Chromium: install it (Debian: apt-get install chromium-headless-shell), or set BROWSER_PATH to it.",
    )
  })
}
