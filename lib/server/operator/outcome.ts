/** The result of a command. Money in `json` is exact USD text with twelve decimals. */
export interface Outcome {
  json: object
  /** The same result as text for people. */
  text: string
  /** What failed, in one line: the command prints its result, then exits with 1. */
  complaint?: string
}

/** What a command needs: the service's runtime on a database of this version's schema, or nothing but the settings. */
type Needs = "runtime" | "settings"

/** Runs a command's work, with the service's runtime installed when it needs that. */
export type WithRuntime = (work: () => Promise<Outcome>, needs: Needs) => Promise<Outcome>

/** Runs a command's work, prints its outcome and sets the exit code. By default the work needs the runtime. */
export type RunCommand = (work: () => Promise<Outcome>, needs?: Needs) => Promise<void>

type Cell = string | number | null

/** Renders rows under their headings, with aligned columns and numbers on the right. Null becomes a dash. */
export function table(heads: string[], rows: Cell[][]): string {
  const shown = rows.map((row) => row.map((cell) => (cell === null ? "–" : String(cell))))
  const widths = heads.map((head, i) => Math.max(head.length, ...shown.map((row) => row[i]?.length ?? 0)))
  const numbers = heads.map((_, i) => shown.map((row) => row[i] ?? "").filter((cell) => cell !== "–"))
  const isNumber = numbers.map((cells) => cells.length > 0 && cells.every((cell) => /^[−$\d]/.test(cell)))
  const line = (cells: string[]) =>
    cells
      .map((cell, i) => (isNumber[i] ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join("  ")
      .trimEnd()
  return [heads, ...shown].map(line).join("\n")
}

export function facts(pairs: [label: string, value: string][]): string {
  const width = Math.max(...pairs.map(([label]) => label.length))
  return pairs.map(([label, value]) => `${label.padEnd(width)}  ${value}`).join("\n")
}
