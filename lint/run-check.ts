import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import path from "node:path"
import { tempFolder } from "@/test/temp-folder"

/** Runs a script of this folder over a project that has only these files. */
export function lint(script: string, files: Record<string, string>): { status: number | null; faults: string } {
  const tree = tempFolder()
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.join(tree, path.dirname(file)), { recursive: true })
    writeFileSync(path.join(tree, file), text)
  }
  execFileSync("git", ["init", "--quiet"], { cwd: tree })
  const { status, stderr } = spawnSync(process.execPath, [path.join(import.meta.dirname, script)], {
    cwd: tree,
    encoding: "utf8",
  })
  return { status, faults: stderr }
}
