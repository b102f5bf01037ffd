import { describe, expect, it } from "vitest"
import { lint } from "./run-check"

describe("check-words", () => {
  it.each([
    ["a comment", "/** The hold is let go. */", '"let go": write release'],
    ["a name in camel case", "const letGo = 1", '"let Go": write release'],
    ["a file name in an import", 'import { release } from "./let-go"', '"let go": write release'],
    ["interface text", 'const hint = "The most it can cost"', '"The most it": write the maximum'],
    ["a docstring of a function", "/** Starts the jobs; answers how to stop them. */", '"answers how": write returns'],
    ["a test's name", 'test("ends, wherever it stands")', "write current value, position, state"],
    ["another form of it", "// The clock stands still.", '"stands still": write is frozen'],
    ["a docstring that begins with it", "/** Answers the id. */", "write returns"],
  ])("finds a word in %s, with its place", (_where, line, fault) => {
    const { status, faults } = lint("check-words.mjs", { "lib/a.ts": `export {}\n${line}\n` })
    expect(faults).toContain("lib/a.ts:2 ")
    expect(faults).toContain(fault)
    expect(status).toBe(1)
  })

  it("finds a word in a file's own name, and in the files of an operator", () => {
    const { faults } = lint("check-words.mjs", {
      "lib/let-go.ts": "export {}\n",
      "docs/alerts.yml": "# The database is away.\n",
    })
    expect(faults.split("\n").slice(0, 2)).toEqual([
      'docs/alerts.yml:1 "is away": write is unavailable, unreachable',
      'lib/let-go.ts:0 "let go": write release',
    ])
  })

  it.each([
    "The answers of a request, one for each question.",
    "The service answers a request with 503.",
    "The engine answers again.",
    "Next to each other, in the background, a waiting request.",
    "The doorway of an indoor shop.",
  ])("accepts: %s", (text) => {
    expect(lint("check-words.mjs", { "docs/a.md": text, "docs/spec.md": "a door" })).toEqual({ status: 0, faults: "" })
  })
})
