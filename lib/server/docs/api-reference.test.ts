import { expect, test } from "vitest"
import { openApiDocument } from "@/lib/server/api/openapi/document"
import { TYPE_NAMES } from "@/questions/question-types"
import { testRuntime } from "@/test/database"
import { readGuide } from "./guide"
import { anchorOf } from "./parse"
import { expandRequests } from "./request-programs"

await testRuntime()
const guide = await readGuide()
const page = guide.find(({ slug }) => slug === "api")?.markdown ?? ""

test("the reference names both endpoints, every field of requests and answers, and every status", () => {
  const { paths, components } = openApiDocument()
  const { "/v1/systemone": _alias, "/v1/systemone/batch": _batch, ...others } = paths
  for (const [path, methods] of Object.entries(others).filter(([path]) => path.startsWith("/v1/")))
    for (const [method, { responses }] of Object.entries(methods)) {
      expect(page).toContain(`\`${method.toUpperCase()} ${path}\``)
      for (const status of Object.keys(responses).filter((one) => one !== "default"))
        expect(page).toMatch(new RegExp(`^\\| ${status} \\| `, "m"))
    }
  const schemas = components.schemas as Record<string, { properties?: object; discriminator?: { mapping: object } }>
  const ofTypes = ["Question", "Answer"].flatMap((name) => Object.entries(schemas[name]?.discriminator?.mapping ?? {}))
  expect(ofTypes.map(([type]) => type)).toEqual([...TYPE_NAMES, ...TYPE_NAMES])
  const names = ofTypes.map(([, ref]: [string, string]) => ref.slice("#/components/schemas/".length))
  for (const name of ["DecisionRequest", "DecisionResponse", "Usage", "ModelEntry", ...names]) {
    const fields = Object.keys(schemas[name]?.properties ?? {})
    expect(fields.length).toBeGreaterThan(0)
    for (const field of fields) expect(page).toContain(`| \`${field}\` | `)
  }
  expect(page).toContain("| `noul` | number, 0 to 1 | The probability that the answer is yes. |")
  expect(page).toContain("| `target_model` | text or null | ")
  expect(page).toContain("| `type` | `score` | Always this text. |")
  expect(page.match(/^\|.*See below.*$/gm)).toEqual(["| `usage` | object | See below. |"])
})

test("no page has the same anchor twice", () => {
  for (const { slug, markdown } of guide) {
    const anchors = [...markdown.matchAll(/^#{2,3} (.+)$/gm)].map(([, text = ""]) => anchorOf(text))
    expect([slug, anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index)]).toEqual([slug, []])
  }
})

test("a request becomes a program in each language, whose strings survive quotes and backticks", () => {
  const request = { state: "It's `now`", questions: { late: null, "a-b": [true, 1] } }
  const markdown = `\`\`\`decision title="late"\n${JSON.stringify(request)}\n\`\`\``
  const text = expandRequests(markdown, "https://api.example.com")
  expect(text.match(/^```\w+ .*$/gm)).toEqual([
    '```bash title="late.sh"',
    '```typescript title="late.mts"',
    '```python title="late.py"',
    '```go title="late.go"',
  ])
  expect(text).toContain(`"state": "It'\\''s \`now\`"`)
  expect(text).toContain(`state: "It's \`now\`",`)
  expect(text).toContain(`"late": None,`)
  expect(text).toContain('"state": "It\'s ` + "`" + `now` + "`" + `",')
})
