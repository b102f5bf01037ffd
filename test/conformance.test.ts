import { existsSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"

const SHORTENED = " …"
const linesOf = (file: string): string[] => readFileSync(file, "utf8").split("\n")
const isRule = (line: string) => /^\|[-| ]+\|$/.test(line)
const cellsOf = (row: string) =>
  row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"))

/** Returns the sentences of the spec. A table row counts as one sentence. Table headers do not count. */
function sentences(): string[] {
  const lines = linesOf("docs/spec.md")
  return lines.flatMap((line, i) => {
    if (line === "" || line.startsWith("#") || isRule(line) || isRule(lines[i + 1] ?? "")) return []
    if (line.startsWith("|")) return [cellsOf(line).filter(Boolean).join(" · ")]
    return line.replace(/^\s*(?:[-*]|\d+\.)\s+/, "").split(/(?<=\.)\s+(?=[A-Z`])/)
  })
}

const rows = linesOf("docs/conformance.md")
  .filter((line) => line.startsWith("|") && !isRule(line) && !line.startsWith("| Sentence |"))
  .map(cellsOf)
const headings = (file: string) => linesOf(file).filter((line) => line.startsWith("##"))

describe("docs/conformance.md", () => {
  it("has a row for every sentence of the spec, in order", () => {
    const quotes = rows.map(([quote = ""]) => quote.replace(SHORTENED, ""))
    expect(sentences().map((sentence, i) => (sentence.startsWith(quotes[i] ?? "?") ? quotes[i] : sentence))).toEqual(
      quotes,
    )
    expect(headings("docs/conformance.md")).toEqual(headings("docs/spec.md"))
  })

  it("names code and a test in every row, or says why there is none", () => {
    const empty = rows.filter(([, code = "", proof = ""]) => (code === "—" ? proof.length < 20 : !/`: "/.test(proof)))
    expect(empty).toEqual([])
  })

  it("names files that exist", () => {
    const named = rows.flatMap(([, code = "", proof = ""]) => [
      ...`${code} ${proof}`.matchAll(/`([\w./()[\]-]+\.(?:ts|sql))`/g),
    ])
    const files = [...new Set(named.map(([, file = ""]) => file))]
    expect(files.length).toBeGreaterThan(50)
    expect(files.filter((file) => !existsSync(file))).toEqual([])
  })

  it("names tests that exist", () => {
    const named = rows.flatMap(([, , proof = ""]) => [...proof.matchAll(/`([^`]+)`: "([^"]+)"/g)])
    expect(named.length).toBeGreaterThan(200)
    const lost = named.filter(
      ([, file = "", name = ""]) => !existsSync(file) || !linesOf(file).some((line) => line.includes(name)),
    )
    expect(lost.map(([text]) => text)).toEqual([])
  })
})
