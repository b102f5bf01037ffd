import fc from "fast-check"

const space = fc.constantFrom("", "", " ", "\n", "\t", "\r\n  ")

const spelled = (text: string, seed: number): string =>
  JSON.stringify(text).replaceAll(/[a-z/]/g, (letter, at: number) => {
    if ((seed >> (at % 16)) % 7 !== 3) return letter
    return letter === "/" ? "\\/" : `\\u00${letter.charCodeAt(0).toString(16)}`
  })

const string = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(text, fc.nat(65_535)).map(([value, seed]) => spelled(value, seed % 3 === 0 ? seed : 0))

const anyText = fc.string({ unit: "grapheme", maxLength: 30 })
const scalar = fc.oneof(
  string(anyText),
  fc.constantFrom("1e400", "-0", "1.10", "2E+3", "0.1", "12345678901234567890", "true", "false", "null"),
)
const key = fc.oneof(fc.constantFrom("__proto__", "10", "2", "constructor", "a b"), anyText)

interface Spaced {
  before: string
  after: string
}
const spaced = fc.record({ before: space, after: space })
const at = (json: string, { before, after }: Spaced): string => before + json + after

const objectOf = (members: fc.Arbitrary<[string, string][]>): fc.Arbitrary<string> =>
  fc.tuple(members, fc.nat(65_535), fc.array(spaced, { minLength: 1, maxLength: 8 })).map(([entries, seed, spaces]) => {
    const space = (i: number) => spaces[i % spaces.length] ?? { before: "", after: "" }
    const written = entries.map(
      ([name, json], i) => `${at(spelled(name, i % 4 === 0 ? seed : 0), space(i))}:${at(json, space(i + 3))}`,
    )
    return `{${written.join(",")}}`
  })
const arrayOf = (items: fc.Arbitrary<string[]>): fc.Arbitrary<string> =>
  fc.tuple(items, spaced).map(([all, space]) => `[${all.map((item) => at(item, space)).join(",")}]`)

const named = <Name extends string>(
  names: fc.Arbitrary<Name>,
  value: fc.Arbitrary<string>,
  minLength: number,
  maxLength: number,
) => fc.uniqueArray(fc.tuple(names, value), { minLength, maxLength, selector: ([name]) => name })

const { value: structured } = fc.letrec<{ value: string; any: string }>((tie) => ({
  any: fc.oneof({ maxDepth: 3 }, scalar, tie("value")),
  value: fc.oneof(
    { maxDepth: 3 },
    objectOf(named(key, tie("any"), 1, 4)),
    arrayOf(fc.array(tie("any"), { minLength: 1, maxLength: 4 })),
  ),
}))

const nonEmpty = string(fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }))
const state = fc.oneof(nonEmpty, structured)
const description = fc.oneof(string(anyText), structured, fc.constantFrom("null", '""', "{}", "[]"))

const shuffled = (members: fc.Arbitrary<[string, string][]>): fc.Arbitrary<[string, string][]> =>
  members.chain((all) => fc.shuffledSubarray(all, { minLength: all.length }))

const noul = fc
  .tuple(
    fc.oneof(nonEmpty, structured),
    fc.option(objectOf(shuffled(named(fc.constantFrom("true", "false"), description, 0, 2)))),
  )
  .map(([instructions, criteria]): [string, string][] => [
    ["type", '"noul"'],
    ["instructions", instructions],
    ...(criteria === null ? [] : [["criteria", criteria] as [string, string]]),
  ])
const optionName = fc.oneof(
  fc.constantFrom("__proto__", "10", "x.y", '"'),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }),
)
const asked = (type: string, criteria: fc.Arbitrary<string>) =>
  fc
    .tuple(fc.option(description), criteria)
    .map(([instructions, written]): [string, string][] => [
      ["type", `"${type}"`],
      ...(instructions === null ? [] : [["instructions", instructions] as [string, string]]),
      ["criteria", written],
    ])
const choice = asked("choice", objectOf(named(optionName, description, 1, 6)))
const score = asked("score", arrayOf(fc.array(fc.oneof(string(anyText), structured), { minLength: 1, maxLength: 10 })))

const questionName = fc.oneof(
  fc.constantFrom("__proto__", "10", "constructor"),
  fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
)
const questions = objectOf(named(questionName, objectOf(shuffled(fc.oneof(noul, choice, score))), 1, 6))

export const requestTexts: fc.Arbitrary<string> = fc
  .tuple(
    objectOf(
      shuffled(
        fc.tuple(nonEmpty, state, questions).map(([model, about, all]): [string, string][] => [
          ["model", model],
          ["state", about],
          ["questions", all],
        ]),
      ),
    ),
    spaced,
  )
  .map(([text, space]) => at(text, space))
