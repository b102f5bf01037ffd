import fc from "fast-check"
import { expect, it } from "vitest"
import { testScale } from "@/test/scale"
import { JsonNode } from "./request-index"
import { scan } from "./scan"

const numRuns = 5_000 * testScale
const timeout = 240_000 * testScale

/** A document as sent, and without insignificant white space. */
interface Document {
  sent: string
  compact: string
}

const both = (text: string): Document => ({ sent: text, compact: text })
const glued = (parts: Document[]): Document => ({
  sent: parts.map((part) => part.sent).join(""),
  compact: parts.map((part) => part.compact).join(""),
})

const space: fc.Arbitrary<Document> = fc
  .constantFrom("", "", "", "", "", "", " ", "\n", "\r\n\t ")
  .map((sent) => ({ sent, compact: "" }))

const escaped = (character: string) =>
  [...Array(character.length).keys()].map((i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`).join("")

/** Generates one character of a string as source, plain or escaped. */
const unit = fc.oneof(
  {
    weight: 40,
    arbitrary: fc.constantFrom("a", "b", "\\u0061", "\\u0062", "c", " ", "é", "日", "😀", "\\n", '\\"', "\\\\"),
  },
  { weight: 8, arbitrary: fc.constantFrom("\\/", "\\u00e9", "\\u00E9", "\\u65E5", "\\ud83d\\ude00", "x".repeat(140)) },
  { weight: 8, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 1 }).map(escaped) },
  { weight: 1, arbitrary: fc.constantFrom("\\ud800", "\\udfff", "\\udc00\\ud800", "\\u12", "\\x", "\u0001") },
)
const text = fc.array(unit, { maxLength: 4 }).map((units) => both(`"${units.join("")}"`))
/** Few names, so that objects often repeat one, in the same or another spelling. */
const name = fc.oneof(
  fc.constantFrom("a", "\\u0061", "é", "\\u00e9", "", "b", "c", "10").map((source) => both(`"${source}"`)),
  text,
  text,
  text,
)
const leaf = fc.oneof(
  { weight: 6, arbitrary: text },
  {
    weight: 3,
    arbitrary: fc.constantFrom("0", "-0", "1", "-1.5e+10", "1e400", "0.25E-3", "true", "false", "null").map(both),
  },
  {
    weight: 1,
    arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => both(JSON.stringify(number))),
  },
)
const broken = fc.constantFrom("01", "1.", "-", "tru", "+1", "NaN", "").map(both)

const listed = (open: string, close: string, items: fc.Arbitrary<Document>) =>
  fc
    .tuple(space, fc.array(fc.tuple(items, space, space), { maxLength: 5 }))
    .map(([inner, entries]) =>
      glued([
        both(open),
        inner,
        ...entries.flatMap(([item, before, after], i) => [both(i === 0 ? "" : ","), before, item, after]),
        both(close),
      ]),
    )

const { document } = fc.letrec<{ document: Document }>((tie) => ({
  document: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    { weight: 20, arbitrary: leaf },
    { weight: 1, arbitrary: broken },
    { weight: 12, arbitrary: listed("[", "]", tie("document")) },
    {
      weight: 24,
      arbitrary: listed(
        "{",
        "}",
        fc
          .tuple(name, space, space, tie("document"))
          .map(([key, before, after, value]) => glued([key, before, both(":"), after, value])),
      ),
    },
  ),
}))

/** Generates objects that are large enough for the hash table, with one name that may repeat. */
const wide = fc
  .tuple(fc.integer({ min: 10, max: 40 }), fc.integer({ min: 0, max: 80 }))
  .map(([count, last]) => `{${[...Array(count).keys(), last].map((i) => `"${i}":${i}`).join(",")}}`)

const nested = fc
  .tuple(fc.integer({ min: 510, max: 514 }), fc.constantFrom(["[", "]"], ['{"a":', "}"]))
  .map(([levels, [open, close]]) => `${open?.repeat(levels)}0${close?.repeat(levels)}`)

const source = fc.oneof(
  { weight: 80, arbitrary: document.map(({ sent }) => sent) },
  { weight: 10, arbitrary: wide },
  { weight: 1, arbitrary: nested },
)

/** Inserts, changes or removes a byte at any position. */
const change = fc.record({
  at: fc.nat(),
  removed: fc.integer({ min: 0, max: 1 }),
  added: fc.oneof(
    fc.constant([]),
    fc.constantFrom(...'{}[]",:\\ 0e-u').map((character) => [character.charCodeAt(0)]),
    fc.integer({ min: 0, max: 255 }).map((byte) => [byte]),
  ),
})

const encoder = new TextEncoder()

/** Generates a document, unchanged or changed at one or two positions. */
const bytes = fc
  .tuple(
    source,
    fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(change, { maxLength: 2 }) }),
  )
  .map(([text, changes]) => {
    const sent = [...encoder.encode(text)]
    for (const { at, removed, added } of changes) sent.splice(at % (sent.length + 1), removed, ...added)
    return Uint8Array.from(sent)
  })

/** Counts the names and levels of a parsed tree. Of a repeated name only the last value is in the tree. */
function measured(value: unknown): { names: number; levels: number } {
  if (typeof value !== "object" || value === null) return { names: 0, levels: 0 }
  const inside = Object.values(value).map(measured)
  return {
    names: inside.reduce((sum, one) => sum + one.names, Array.isArray(value) ? 0 : inside.length),
    levels: 1 + Math.max(0, ...inside.map((one) => one.levels)),
  }
}

/**
 * Predicts the verdict independently: names are unique when the tree has as many as there are colons outside strings.
 */
function expected(body: Uint8Array): "ok" | "body" | "duplicate" {
  let source: string
  let tree: unknown
  try {
    source = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body)
    tree = JSON.parse(source)
  } catch {
    return "body"
  }
  const strings = /"(?:[^"\\]|\\.)*"/gs
  const isLone = (source.match(strings) ?? []).some((string) => !(JSON.parse(string) as string).isWellFormed())
  const { names, levels } = measured(tree)
  if (isLone || levels > 512) return "body"
  return source.replace(strings, "").split(":").length - 1 === names ? "ok" : "duplicate"
}

it(
  "accepts exactly what JSON.parse does, except repeated names, lone surrogates and more than 512 levels",
  () => {
    const seen = { ok: 0, body: 0, duplicate: 0 }
    fc.assert(
      fc.property(bytes, (body) => {
        const result = scan(body)
        const verdict = result.ok ? "ok" : result.fault === "duplicate" ? "duplicate" : "body"
        seen[verdict]++
        expect(verdict).toBe(expected(body))
      }),
      { numRuns },
    )
    for (const verdict of ["ok", "body", "duplicate"] as const) expect(seen[verdict]).toBeGreaterThan(numRuns / 50)
  },
  timeout,
)

it(
  "carries a state as its JSON text without white space and otherwise unchanged",
  () => {
    fc.assert(
      fc.property(document, space, ({ sent, compact }, { sent: before }) => {
        const body = encoder.encode(`{${before}"state":${before}${sent} }`)
        const result = scan(body)
        if (!result.ok) return
        const state = new JsonNode(body, result.nodes).children()[0]
        const text = state?.text()
        if (text) expect(text.json()).toBe(compact)
      }),
      { numRuns: numRuns / 4 },
    )
  },
  timeout,
)
