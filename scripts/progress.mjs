import { ProgramFailed } from "./run.mjs"

const STILL_MS = 15_000

/** Returns the seconds since `start` with their unit. */
export const secondsSince = (start) => `${((performance.now() - start) / 1000).toFixed(1)} s`

/** Prints that a step begins, still runs and has ended. Uses standard error, since standard output is for results. */
export async function step(title, work) {
  const start = performance.now()
  const say = (text) => process.stderr.write(`${text}\n`)
  say(`${title}…`)
  const still = setInterval(() => say(`${title}… ${secondsSince(start)}`), STILL_MS)
  try {
    const result = await work()
    say(`${title}: done in ${secondsSince(start)}`)
    return result
  } catch (error) {
    say(`${title}: failed after ${secondsSince(start)}`)
    throw error
  } finally {
    clearInterval(still)
  }
}

/** Runs a script's main function. On failure it prints the failed program's output, or one line, and exits with its code. */
export async function main(work) {
  try {
    await work()
  } catch (error) {
    if (error instanceof ProgramFailed) {
      if (error.output) process.stderr.write(`${error.output.trimEnd()}\n`)
      process.exit(error.code)
    }
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    process.exit(1)
  }
}
