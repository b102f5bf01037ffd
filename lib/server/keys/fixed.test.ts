import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { expect, it } from "vitest"

const SOURCES = ["lib", "app", "prisma/migrations", "prisma/functions"]
const FIXED = /\b(limit_pico|limit_period|expires_at)\s*=/

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|sql)$/.test(entry.name) && !entry.name.includes(".test."))
    .map((entry) => path.join(entry.parentPath, entry.name))
}

/** Returns the SET part of each statement that changes a key. */
function changesOf(file: string): string[] {
  const text = readFileSync(file, "utf8")
  return [...text.matchAll(/UPDATE api_key(?: \w+)? SET([\s\S]*?)(?:WHERE|FROM)/g)].map(([, changed = ""]) => changed)
}

it("no statement changes the spend limit or the expiry of a key", () => {
  const changes = SOURCES.flatMap(files).flatMap(changesOf)
  expect(changes.length).toBeGreaterThanOrEqual(6)
  expect(changes.filter((changed) => FIXED.test(changed))).toEqual([])
})
