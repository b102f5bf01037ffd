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

/** A longer text is laid out in blocks. Where directions alternate, the time for one block grows with the square of its length. */
const MAX_BLOCK = 5_000
/** How far before its greatest length a block may end, so that it ends after a line or a word. */
const ENDING = 500

/** Returns where a block that starts at `start` ends: after a line feed or else a blank if there is one near, never within a character. */
function endOfBlock(text: string, start: number): number {
  const end = start + MAX_BLOCK
  if (end >= text.length) return text.length
  // In the whole text, a search for what it does not have would read it to its start, for each block.
  const last = text.slice(end - ENDING, end)
  for (const stop of ["\n", " "]) {
    const at = last.lastIndexOf(stop)
    if (at >= 0) return end - ENDING + at + 1
  }
  return /^[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end
}

/** Cuts a text into the blocks in which it is laid out. One for a text of usual length. */
export function blocksOf(text: string): string[] {
  const blocks: string[] = []
  let start = 0
  do {
    const end = endOfBlock(text, start)
    blocks.push(text.slice(start, end))
    start = end
  } while (start < text.length)
  return blocks
}

/** A text area lays out a paragraph as one block, in time that grows with the square of its changes of direction. */
const MAX_TURNS = 4_000
/** The time for one letter grows with the square of the marks on it. */
const MAX_MARKS = 500

const RTL = "\\u0590-\\u08FF\\uFB1D-\\uFDFF\\uFE70-\\uFEFC\\u{10800}-\\u{10FFF}\\u{1E800}-\\u{1EFFF}"
const DIRECTED = new RegExp(`[${RTL}]+|[\\u202A-\\u202E\\u2066-\\u2069]|(?:(?![${RTL}])[\\p{L}\\p{N}])+`, "gu")
const CONTROL = /^[\u202A-\u202E\u2066-\u2069]/
const RIGHT_TO_LEFT = new RegExp(`[${RTL}]`, "u")

/** Returns whether a text area would take half a second or more for each change of a text. */
export function isSlowToEdit(text: string): boolean {
  if (text.length <= MAX_MARKS) return false
  for (const [marks] of text.matchAll(/\p{M}+/gu)) if (marks.length > MAX_MARKS) return true
  return turnsOf(text) > MAX_TURNS
}

/** Counts how often the direction of a text changes, up to one more than the greatest number that is fast. */
function turnsOf(text: string): number {
  let turns = 0
  let last = ""
  for (const [run] of text.matchAll(DIRECTED)) {
    const direction = CONTROL.test(run) ? run : RIGHT_TO_LEFT.test(run) ? "rtl" : "ltr"
    if (direction !== last || direction === run) turns++
    if (turns > MAX_TURNS) break
    last = direction
  }
  return turns
}

export const hasLongRun = (text: string): boolean => text.length > MAX_RUN && breakable(text).length > 1

/** Returns a text, or its start with an ellipsis when it is longer than a name in a sentence or a table may be. Empty for undefined. */
export const shortText = (text = "", maxLength = 200): string =>
  text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
