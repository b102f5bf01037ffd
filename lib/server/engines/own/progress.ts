/** Prints a line for the operator while the service starts. */
export type PrintLine = (line: string) => void

const EVERY_MS = 10_000
const BAR = 30

/** Returns bytes as text, in MB below 1 GB. */
export const gigabytes = (bytes: number): string =>
  bytes < 1e9 ? `${Math.max(0.1, bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`

/** Returns a function that shows how much of `total` bytes is done: as a bar on a terminal, else as a line every 10 s. */
export function progressOf(
  title: string,
  total: number,
  print: PrintLine,
  terminal: { isTTY?: boolean; write(text: string): unknown } = process.stderr,
): (done: number) => void {
  let shownAt = Number.NEGATIVE_INFINITY
  let shown = -1
  return (done) => {
    const percent = total === 0 ? 100 : Math.floor((100 * done) / total)
    const isLast = done === total
    if (percent === shown) return
    if (terminal.isTTY) {
      const filled = Math.round((BAR * percent) / 100)
      const bar = `${"█".repeat(filled)}${"░".repeat(BAR - filled)}`
      terminal.write(`\r${title} ${bar} ${percent} % of ${gigabytes(total)}${isLast ? "\n" : ""}`)
    } else if (isLast || performance.now() - shownAt > EVERY_MS) {
      print(`${title}: ${percent} % of ${gigabytes(total)}`)
      shownAt = performance.now()
    }
    shown = percent
  }
}
