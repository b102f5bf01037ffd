import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { expect, test } from "vitest"

const run = promisify(execFile)

/** Runs a program's own check of a file and returns its warnings. Rejects with its errors, or names the missing Debian package. */
async function check(debianPackage: string, program: string, args: string[], env: Record<string, string> = {}) {
  const { PATH } = process.env
  const result = run(program, args, { env: { NODE_ENV: "test", PATH: `${PATH}:/usr/sbin`, HOME: "/tmp", ...env } })
  const { stderr } = await result.catch((error: NodeJS.ErrnoException & { stderr?: string }) => {
    if (error.code === "ENOENT") throw new Error(`${program} is missing. Install the Debian package ${debianPackage}`)
    throw new Error(error.stderr)
  })
  return stderr
}

test("systemd, Prometheus and Caddy accept their examples", async () => {
  // systemd-analyze ends with 0 after warnings, and also prints warnings about the machine's own units.
  const warnings = await check("systemd", "systemd-analyze", ["verify", "docs/operating/decision-service.service"])
  expect(warnings).not.toContain("decision-service.service")
  await check("prometheus", "promtool", ["check", "rules", "docs/operating/alerts.yml"])
  const caddyfile = ["validate", "--adapter", "caddyfile", "--config", "docs/operating/Caddyfile"]
  await check("caddy", "caddy", caddyfile, { DOMAIN: "decide.example.com" })
})

test("a database without a backup, and one with an old backup, raise their alert", async () => {
  await check("prometheus", "promtool", ["test", "rules", "test/alert-rules.yml"])
})
