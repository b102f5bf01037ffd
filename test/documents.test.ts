import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { EXAMPLE_ANSWER } from "@/lib/server/decisions/example-answer"
import { withRights } from "@/lib/server/docs/rights-table"
import { withSettings } from "@/lib/server/docs/settings-table"
import { operate } from "@/lib/server/operator/command-line"

const read = (file: string): string => readFileSync(file, "utf8")
const documents = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => file !== "" && existsSync(file))

const ROOTS = "app|bench|components|docs|e2e|lib|lint|prisma|public|questions|scripts|test"
/** A path in backticks from the root of the repository, without placeholders such as `docs/guide/<slug>.md`. */
const PATH = new RegExp(`\`((?:${ROOTS})/[^\`\\s<>{}*…]*)\``, "g")
const GENERATED = /^docs\/guide\/\*/

const pathsIn = (text: string): string[] => [...text.matchAll(PATH)].map(([, file = ""]) => file)
const linksIn = (text: string): string[] =>
  [...text.matchAll(/\]\(([^)\s#:]+)(?:#[^)]*)?\)/g)].map(([, link = ""]) => link)

describe("documents", () => {
  test("the checks find paths and links", () => {
    expect(pathsIn("See `lib/server/none.ts`, `docs/guide/<slug>.md` and `npm`.")).toEqual(["lib/server/none.ts"])
    expect(linksIn("[A](a.md), [B](b.md#c) and [C](https://c.example)")).toEqual(["a.md", "b.md"])
  })

  test.each(documents)("%s names paths that exist", (document) => {
    expect(pathsIn(read(document)).filter((file) => !GENERATED.test(file) && !existsSync(file))).toEqual([])
  })

  test.each(documents.filter((file) => !file.startsWith("docs/guide/")))("%s links to files that exist", (document) => {
    const isMissing = (link: string) => !existsSync(path.join(path.dirname(document), link))
    expect(linksIn(read(document)).filter(isMissing)).toEqual([])
  })

  const records = readdirSync("docs/decisions").filter((file) => /^\d{4}-/.test(file))

  test("every decision record is once in the index, which marks at most five to read first", () => {
    const [, first = "", areas = ""] = /\*\*Read first:\*\*(.*?)\n\n(.*)/s.exec(read("docs/decisions/README.md")) ?? []
    const linked = (text: string) => [...text.matchAll(/\]\((\d{4}-[^)]+)\)/g)].map(([, file]) => file)
    expect(linked(areas).sort()).toEqual(records.sort())
    expect(linked(first).length).toBe(5)
  })

  test.each(records)("docs/decisions/%s has at most 150 words besides its heading and its tables of rules", (file) => {
    const words = read(`docs/decisions/${file}`)
      .replace(/^[#|].*$/gm, "")
      .split(/\s+/)
      .filter(Boolean)
    expect(words.length).toBeGreaterThan(20)
    expect(words.length).toBeLessThanOrEqual(150)
  })
})

test("CONTRIBUTING.md has at most 900 words", () => {
  expect(read("CONTRIBUTING.md").split(/\s+/).length).toBeLessThanOrEqual(900)
})

describe("README.md", () => {
  test("has at most 700 words", () => {
    expect(read("README.md").split(/\s+/).length).toBeLessThanOrEqual(700)
  })

  test("shows the request of the quickstart, whose snippets a test runs, and its response", () => {
    const [, body = ""] = /-d '(\{.*?\})'/s.exec(read("README.md")) ?? []
    const [, quickstart = ""] = /-d '(\{.*?\})'/s.exec(read("docs/guide/quickstart.md")) ?? []
    expect(JSON.parse(body)).toEqual(JSON.parse(quickstart.replace("{{alias}}", "svc-decider-latest")))
    const [, response = ""] = /```json\n(.*?)```/s.exec(read("README.md")) ?? []
    expect(JSON.parse(response)).toEqual(EXAMPLE_ANSWER)
  })
})

describe("docs/operating.md", () => {
  const operating = read("docs/operating.md")

  test("has the tables of settings and rights that `npm run settings` writes", () => {
    expect(operating).toBe(withRights(withSettings(operating)))
  })

  test("lists exactly the operator's commands, with all their options", async () => {
    const groups = commandsIn(await helpOf([]))
    const commands = await Promise.all(
      groups.map(async (group) => {
        const commands = commandsIn(await helpOf([group]))
        return commands.length > 0 ? commands.map((command) => [group, command]) : [[group]]
      }),
    )
    const used = await Promise.all(
      commands.flat().map(async (command) => [command.join(" "), ...optionsIn(await helpOf(command))]),
    )
    const [, table = ""] = /## Operator commands\n(.*?)\n## /s.exec(operating) ?? []
    const rows = [...table.matchAll(/^\| `([a-z]+(?: [a-z]+)?)(.*?)` \|/gm)]
    const listed = rows.map(([, command, usage = ""]) => [command, ...optionsIn(usage)])
    expect(listed.length).toBeGreaterThan(15)
    expect(listed.sort()).toEqual(used.sort())
  })
})

async function helpOf(command: string[]): Promise<string> {
  let text = ""
  const out = (printed: string) => {
    text += printed
  }
  await operate([...command, "--help"], { out, err: out }, () => Promise.reject(new Error("only help was asked for")))
  return text
}

const commandsIn = (help: string): string[] =>
  [...(help.split("Commands:\n")[1] ?? "").matchAll(/^ {2}([a-z]+)/gm)]
    .map(([, name = ""]) => name)
    .filter((name) => name !== "help")

const optionsIn = (usage: string): string[] =>
  [...new Set(usage.match(/--[a-z-]+/g))].filter((option) => !/^--(?:help|json)$/.test(option)).sort()
