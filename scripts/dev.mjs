import { ensureInstalled } from "./install.mjs"
import { main } from "./progress.mjs"
import { bin, ROOT } from "./project.mjs"
import { run } from "./run.mjs"

// Next reloads these files itself, or the server does not load them. The server restarts when any other file that it loads changes.
const IGNORED = ["app/**", "components/**", ".next/**", ".data/**", "dist/**", "prisma/client/**", "**/*.test.ts"]
const PRETEND = "--pretend-payments"

/** Starts the Stripe double and returns the settings that point to it. The double outlives restarts of the server. */
async function pretend() {
  const { tsImport } = await import("tsx/esm/api")
  const { pretendPayments } = await tsImport("./pretend-payments.ts", import.meta.url)
  const { url, settings } = await pretendPayments(process.env)
  process.stderr.write(`Pretend payments: a Stripe double runs at ${url}. No money moves.\n`)
  return settings
}

await main(async () => {
  process.chdir(ROOT)
  const args = process.argv.slice(2)
  const unknown = args.find((arg) => arg !== PRETEND)
  if (unknown !== undefined) throw new Error(`Unknown option ${unknown}. The only option is ${PRETEND}.`)
  await ensureInstalled()
  const payments = args.includes(PRETEND) ? await pretend() : {}
  const ignored = IGNORED.map((pattern) => `--exclude=${pattern}`)
  await run(bin("tsx"), ["watch", "--clear-screen=false", ...ignored, "server.ts"], {
    env: { NODE_ENV: "development", ...payments },
  })
  process.exit(0)
})
