import { spawn } from "node:child_process"
import { constants } from "node:os"
import { ROOT } from "./project.mjs"

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"]

/** Thrown when a program exits with a code other than 0. `output` is what it printed, unless that went to the terminal. */
export class ProgramFailed extends Error {
  constructor(command, code, output) {
    super(`${command} ended with ${code}`)
    this.code = code
    this.output = output
  }
}

/**
 * Runs a program in the project's folder. With `quiet` or `tee`, returns its output; otherwise its output goes to the terminal
 * and the result is empty. `tee` also copies the output to a stream. Signals are forwarded and end this process too.
 * Throws `ProgramFailed` for an exit code other than 0.
 */
export async function run(command, args, { env = {}, quiet = false, tee } = {}) {
  const stdio = quiet || tee ? ["ignore", "pipe", "pipe"] : "inherit"
  const child = spawn(command, args, { cwd: ROOT, stdio, env: { ...process.env, ...env } })
  const chunks = []
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk) => {
      chunks.push(chunk)
      tee?.write(chunk)
    })
  }
  let received
  const forward = (signal) => {
    received = signal
    child.kill(signal)
  }
  for (const signal of SIGNALS) process.on(signal, forward)
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject)
    child.once("close", (exitCode, signal) => resolve(exitCode ?? 128 + constants.signals[signal]))
  })
  for (const signal of SIGNALS) process.off(signal, forward)
  if (received) process.exit(128 + constants.signals[received])
  const output = Buffer.concat(chunks).toString()
  if (code !== 0) throw new ProgramFailed(command, code, output)
  return output
}
