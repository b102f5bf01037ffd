import { execFile, execFileSync } from "node:child_process"
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import type { Snippet } from "@/lib/server/docs/parse"
import { type NodeMajor, nodeFolder, sdksInstalled } from "./sdks"

// Waits while the file is loaded, because an installation may take longer than a test may.
await sdksInstalled()

const RUNNABLE = ["bash", "typescript", "python", "go"]

export const isRunnable = ({ language }: Snippet): boolean => RUNNABLE.includes(language)

export function hasProgram(name: string): boolean {
  try {
    execFileSync("sh", ["-c", `command -v ${name}`])
    return true
  } catch {
    return false
  }
}

export interface Ran {
  exitCode: number
  stdout: string
  stderr: string
}

/** The commands in the first line of a program. */
export interface PrintedCommand {
  /** Without the `npm install` in front of it. */
  command: string
  /** The packages that the line installs, such as `ai@7.0.173`. */
  packages: string[]
  /** For Node 20, when it differs. */
  onNode20: string | null
}

/** Reads `// Run: node a.mts (Node 22.18 or newer), or npx tsx a.mts (Node 20)` and its shorter forms. Throws without it. */
export function printedCommand(code: string): PrintedCommand {
  const form =
    /^(?:\/\/|#) Run: (?:npm install (.+?) && )?(.+?)(?: \(Node 22\.18 or newer\)(?:, or (npx tsx \S+) \(Node 20\))?| \(Python.*\))?(?:\. export .*)?$/
  const [, packages, command, onNode20 = null] = form.exec(code.split("\n", 1)[0] ?? "") ?? []
  if (!command) throw new Error(`the first line prints no command: ${code.slice(0, 80)}`)
  return { command, packages: packages?.split(" ") ?? [], onNode20 }
}

interface RunOptions {
  /** Runs with this release of Node. Without it, the release of the tests. */
  node?: NodeMajor
  /** The `node_modules` that the program finds beside it; those of this project by default, for `npx tsx`. */
  modules?: string
  /** Variables beside the key. */
  env?: Record<string, string>
}

/** Programs in Go share what the compiler has built. */
const GO = { GOCACHE: path.resolve("node_modules/.cache/go-build") }

const OWN_MAJOR = Number(process.versions.node.split(".")[0])

/** Saves a snippet under its name in a new folder and runs its printed command there, with the key in its environment. */
export async function runSnippet(
  { language, title, code }: Snippet,
  key: string,
  options: RunOptions = {},
): Promise<Ran> {
  const file = /^[\w-]+\.\w+$/.test(title) ? title : "snippet.sh"
  const printed = language === "bash" ? { command: `bash ${file}`, onNode20: null } : printedCommand(code)
  const major = options.node ?? OWN_MAJOR
  const command = major < 22 && printed.onNode20 ? printed.onNode20 : printed.command
  const folder = await mkdtemp(path.join(tmpdir(), "svcd-snippet-"))
  try {
    await writeFile(path.join(folder, file), code)
    await symlink(options.modules ?? path.resolve("node_modules"), path.join(folder, "node_modules"))
    const node = options.node ? nodeFolder(options.node) : path.dirname(process.execPath)
    const own = { PATH: `${node}:${process.env.PATH}`, HOME: folder, SVC_API_KEY: key }
    const env = { ...own, ...GO, ...options.env } as unknown as NodeJS.ProcessEnv
    return await new Promise((resolve) => {
      execFile("sh", ["-c", command], { cwd: folder, env, timeout: 240_000 }, (error, stdout, stderr) =>
        resolve({ exitCode: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
      )
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
