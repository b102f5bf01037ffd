/**
 * How long a run without a blank may be. Each line that a browser breaks within a run makes it shape the rest of the run again, so the
 * time grows with the square of the length, and 100,000 characters stop a page for half a minute.
 */
const MAX_RUN = 500

/** Cuts a run where a browser may break the line, and then shapes each part alone. The time then grows with the length only. */
const PART = /.{1,200}/gsu

/** Matches runs. No-break spaces, and other blanks at which browsers break no line, are part of a run. */
export const RUNS = /[^ \t\n]+/g

/** Returns the parts of a run that is too long; null for any other. */
export const partsOfRun = (run: string): string[] | null => (run.length > MAX_RUN ? run.match(PART) : null)

/** Returns the pieces of a text between which a browser may break the line: one, unless the text has long runs. */
export function breakable(text: string): string[] {
  const pieces: string[] = []
  let end = 0
  for (const { 0: run, index } of text.matchAll(RUNS)) {
    const parts = partsOfRun(run)
    if (!parts) continue
    pieces.push(text.slice(end, index), ...parts)
    end = index + run.length
  }
  return [...pieces, text.slice(end)].filter((piece) => piece !== "")
}

export const hasLongRun = (text: string): boolean => text.length > MAX_RUN && breakable(text).length > 1

/** Returns a text, or its start with an ellipsis when it is longer than a name in a sentence or a table may be. Empty for undefined. */
export const shortText = (text = "", maxLength = 200): string =>
  text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
