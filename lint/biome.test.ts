import { execFileSync, spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { tempFolder } from "@/test/temp-folder"

describe("Biome", () => {
  it("finds a promise of another file that nothing waits for, and no other", () => {
    const tree = tempFolder()
    const files = {
      "biome.json": readFileSync("biome.json", "utf8").replace("./node_modules", path.resolve("node_modules")),
      "charge.ts": "export async function charge(): Promise<void> {}\n",
      "floating.ts": 'import { charge } from "./charge"\n\nexport function close() {\n  charge()\n}\n',
      "awaited.ts": 'import { charge } from "./charge"\n\nexport async function close() {\n  await charge()\n}\n',
      "void.ts": 'import { charge } from "./charge"\n\nexport function close() {\n  void charge()\n}\n',
    }
    for (const [file, text] of Object.entries(files)) writeFileSync(path.join(tree, file), text)
    execFileSync("git", ["init", "--quiet"], { cwd: tree })
    const args = ["lint", "--reporter=github", "."]
    const { status, stdout } = spawnSync(path.resolve("node_modules/.bin/biome"), args, { cwd: tree, encoding: "utf8" })
    expect(status).toBe(1)
    expect(stdout.match(/[^/]+,line=\d+/g)).toEqual(["floating.ts,line=4"])
  })
})
