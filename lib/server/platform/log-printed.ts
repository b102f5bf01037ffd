import type { Log } from "./log"

/**
 * Takes over what libraries print by themselves, as Next does the whole of an error that a page threw: its text can quote
 * what a user sent, so only its kind, its place and the reference that the page showed are logged.
 */
export function logPrinted(log: Log, printer: Pick<Console, "error" | "warn"> = console): void {
  const causeIn = (printed: unknown[]) => printed.find((value) => value instanceof Error)
  printer.error = (...printed) => log.error("a library reported an error", { cause: causeIn(printed) })
  printer.warn = (...printed) => log.warn("a library gave a warning", { cause: causeIn(printed) })
}
