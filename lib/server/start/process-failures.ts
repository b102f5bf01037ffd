import type { Log } from "@/lib/server/platform/log"

/** The longest that a stop after an uncaught exception may take. */
const STOP_MS = 30_000

/**
 * Handles errors that no code caught (docs/decisions/0028). After an exception it calls `stop`, and the process exits with 1
 * within 30 s, because its state may be half changed. A rejection belongs to one request, so it is only logged. Output
 * that cannot be written, for example to a full disk, is lost.
 */
export function handleUncaught(log: Log, stop: () => unknown): void {
  process.stdout.on("error", () => {})
  process.on("unhandledRejection", (cause) =>
    log.error("A rejection was not handled", { event: "process.unhandled_rejection", cause }),
  )
  process.on("uncaughtException", (cause) => {
    log.error("An exception was not caught. The server is stopping", { event: "process.uncaught_exception", cause })
    process.exitCode = 1
    setTimeout(() => process.exit(), STOP_MS).unref()
    stop()
  })
}

/**
 * Replaces what libraries print on the console by log lines. Next prints the whole error of a failed page, which can quote
 * what a user sent. The log keeps only its kind, its place and the reference that the page showed.
 */
export function logConsoleOutput(log: Log, printer: Pick<Console, "error" | "warn"> = console): void {
  const causeIn = (printed: unknown[]) => printed.find((value) => value instanceof Error)
  printer.error = (...printed) =>
    log.error("A library reported an error", { event: "library.error", cause: causeIn(printed) })
  printer.warn = (...printed) =>
    log.warn("A library reported a warning", { event: "library.warning", cause: causeIn(printed) })
}
