import { execFile, execFileSync } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import type { Snippet } from "@/lib/server/docs/parse"

const TSX = path.resolve("node_modules/.bin/tsx")

const RUNNERS: Record<string, { program: string; file: string }> = {
  bash: { program: "bash", file: "snippet.sh" },
  typescript: { program: TSX, file: "snippet.mts" },
  python: { program: "python3", file: "snippet.py" },
}

export const isRunnable = ({ language }: Snippet): boolean => language in RUNNERS

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

/** Saves a snippet in a new folder and runs it there, with only the key in its environment. */
export async function runSnippet({ language, code }: Snippet, key: string): Promise<Ran> {
  const runner = RUNNERS[language]
  if (!runner) throw new Error(`nothing runs ${language}`)
  const folder = await mkdtemp(path.join(tmpdir(), "svcd-snippet-"))
  try {
    await writeFile(path.join(folder, runner.file), code)
    return await new Promise((resolve) => {
      const env = { PATH: process.env.PATH, HOME: folder, SVC_API_KEY: key } as unknown as NodeJS.ProcessEnv
      const options = { cwd: folder, env, timeout: 30_000 }
      execFile(runner.program, [runner.file], options, (error, stdout, stderr) =>
        resolve({ exitCode: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
      )
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
