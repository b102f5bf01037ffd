import { chmod, mkdir, writeFile } from "node:fs/promises"
import path from "node:path"
import { afterEach, expect, test, vi } from "vitest"
import { tempFolder } from "@/test/temp-folder"
import { releaseNeeds } from "./release-check.mjs"

afterEach(() => void vi.unstubAllEnvs())

/** Creates a project of version 1.2.0, and an npm whose audit prints this. Returns what its release needs. */
async function needsOf(files: Record<string, string>, audit = { message: "no network" } as object) {
  const root = tempFolder()
  const all = {
    "package.json": '{"version":"1.2.0"}',
    "package-lock.json": '{"packages":{}}',
    "bin/npm": `#!/bin/sh\ncat <<'END'\n${JSON.stringify(audit)}\nEND\n`,
    ...files,
  }
  for (const [file, text] of Object.entries(all)) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true })
    await writeFile(path.join(root, file), text)
  }
  await chmod(path.join(root, "bin/npm"), 0o755)
  vi.stubEnv("PATH", `${path.join(root, "bin")}:${process.env.PATH}`)
  return releaseNeeds(root)
}

const READY = {
  "CHANGELOG.md": "# Changes\n\n## Unreleased\n\n## 1.2.0\n\n- Faster.\n",
  "test/releases/1.2.0.sql.gz": "",
  "test/releases/1.2.0.backup": "",
}
const vulnerabilities = (total: number) => ({
  metadata: { vulnerabilities: { total } },
  vulnerabilities: { "left-pad": {} },
})

test("a release that has everything needs nothing", async () => {
  const needs = await needsOf(READY, vulnerabilities(0))
  expect(needs.map(({ state }) => state)).toEqual(["ok", "ok", "ok", "ok"])
})

test("changes under Unreleased, a missing dump, a package without a license text and an advisory are missing", async () => {
  const files = {
    "CHANGELOG.md": "# Changes\n\n## Unreleased\n\n- Faster.\n\n## 1.2.0\n",
    "package-lock.json": '{"packages":{"node_modules/left-pad":{}}}',
    "node_modules/left-pad/package.json": '{"name":"left-pad","version":"1.0.0","license":"MIT"}',
  }
  expect(await needsOf(files, vulnerabilities(1))).toEqual([
    { state: "missing", text: 'CHANGELOG.md has changes under "Unreleased": move them to "1.2.0"' },
    {
      state: "missing",
      text: "test/releases/1.2.0.sql.gz and test/releases/1.2.0.backup not found: run npm run freeze",
    },
    { state: "missing", text: "left-pad has no license text: add a reviewed one to scripts/licenses" },
    { state: "missing", text: "npm audit knows 1 advisories: left-pad" },
  ])
})

test("an error of npm itself is the reason why nothing was checked", async () => {
  const needs = await needsOf(READY, { error: { code: "ENOLOCK", summary: "This command requires a lockfile." } })
  expect(needs.at(-1)?.text).toMatch(/because npm audit failed: This command requires a lockfile\.$/)
})

test("a changelog of another version is missing, and a scanner that cannot be reached is said to have checked nothing", async () => {
  const [changes, , , advisories] = await needsOf({ ...READY, "CHANGELOG.md": "# Changes\n\n## 1.1.0\n" })
  expect(changes?.text).toBe("CHANGELOG.md does not begin with the version of package.json, 1.2.0")
  expect(advisories).toEqual({
    state: "unknown",
    text: "Advisories of packages were not checked, because npm audit failed: no network",
  })
})
