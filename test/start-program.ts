import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"

/** Starts a program of a Debian package. Rejects with the package's name when it is missing. */
export async function startProgram(
  debianPackage: string,
  file: string,
  args: string[],
  env = process.env,
): Promise<ChildProcess> {
  const child = spawn(file, args, { env, stdio: ["ignore", "ignore", "pipe"] })
  child.stderr.resume()
  await once(child, "spawn").catch(() => {
    throw new Error(`${file} is missing. Install the Debian package ${debianPackage}`)
  })
  return child
}
