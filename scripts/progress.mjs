import { ProgramFailed } from "./run.mjs"

const STILL_MS = 15_000

/** Seconds since `start`, as people read them. */
export const secondsSince = (start) => `${((performance.now() - start) / 1000).toFixed(1)} s`

/** Says what begins, that it still runs, and how long it took. On standard error: standard output belongs to results. */
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

/** Runs a script's main function; a failure is what the failing program said, or one line, and a bad exit code. */
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
