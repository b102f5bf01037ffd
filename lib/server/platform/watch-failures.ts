import type { Log } from "./log"

/** The longest a stop after a failure may take. */
const STOP_MS = 30_000

/**
 * What is thrown where nothing catches it (docs/decisions/0010): after an exception the process stops gracefully and exits
 * with 1, because nobody knows what was left half done. A rejection that nobody handled is logged and harms nobody else.
 */
export function watchFailures(log: Log, stop: () => unknown): void {
  process.on("unhandledRejection", (cause) => log.error("a rejection was not handled", { cause }))
  process.on("uncaughtException", (cause) => {
    log.error("an exception was not caught: stopping", { cause })
    process.exitCode = 1
    setTimeout(() => process.exit(), STOP_MS).unref()
    stop()
  })
}
