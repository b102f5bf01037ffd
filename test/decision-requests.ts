import fc from "fast-check"

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json }
type Members = [name: string, value: Json][]

/** Creates an object of these members. The last of two equal names wins, and `__proto__` is an ordinary name. */
function object(members: Members): Json {
  const made: { [name: string]: Json } = {}
  for (const [name, value] of members)
    Object.defineProperty(made, name, { value, enumerable: true, configurable: true, writable: true })
  return made
}

const text = fc.string({ unit: "grapheme", maxLength: 8 })
const filled = fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 })

/** Names that an implementation could lose or reorder, that are fields elsewhere, or that are at or over a limit. */
const oddName = fc.constantFrom(
  ...["", "a b", "a\n", "é", "__proto__", "constructor", "toString", "10", "2", "type", "criteria", "true", "false"],
  ...[64, 65, 128, 129].flatMap((length) => ["n".repeat(length), "😀".repeat(length)]),
)

const anything = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom<Json>(null, true, false, 0, -1.5, "", {}, []),
    text,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.array(fc.tuple(fc.oneof(text, oddName), tie("value")), { maxLength: 3 }).map(object),
  ),
})).value

/** Generates `usual` nearly always, so that about half of the requests with many parts are valid. */
const mostly = <T>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 30, arbitrary: usual }, { weight: 1, arbitrary: other })

/** Generates an object in which any field may be missing, with at most one additional field. */
function fields(usual: Record<string, fc.Arbitrary<Json>>, { freq = 30 } = {}): fc.Arbitrary<Json> {
  const each = Object.entries(usual).map(([name, value]) =>
    fc.option(mostly(value, anything), { freq }).map((made): Members => (made === null ? [] : [[name, made]])),
  )
  const more = mostly<Members>(
    fc.constant([]),
    fc.tuple(fc.oneof(text, oddName), anything).map((one) => [one]),
  )
  return fc.tuple(...each, more).map((parts) => object(parts.flat()))
}

const named = (name: fc.Arbitrary<string>, value: fc.Arbitrary<Json>) =>
  fc.array(fc.tuple(mostly(name, oddName), mostly(value, anything)), { minLength: 1, maxLength: 4 }).map(object)

const structured = fc.oneof(text, fc.array(anything, { maxLength: 2 }), named(text, anything))
const description = fc.oneof(structured, fc.constant(null))
const questionName = fc.oneof(fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/), fc.constantFrom("__proto__", "10", "2"))

const question = fc.oneof(
  fields({ type: fc.constant("noul"), instructions: description }),
  fields({ type: fc.constant("noul"), criteria: fields({ true: description, false: description }, { freq: 2 }) }),
  fields({ type: fc.constant("choice"), criteria: named(filled, description) }),
  fields({ type: fc.constant("choice"), instructions: description, criteria: named(filled, description) }),
  fields({
    type: fc.constant("score"),
    criteria: fc.array(mostly(structured, anything), { minLength: 1, maxLength: 10 }),
  }),
)

export const decisionRequests: fc.Arbitrary<Json> = mostly(
  fields({
    model: filled,
    state: fc.oneof(filled, fc.array(anything, { minLength: 1, maxLength: 2 }), named(text, anything)),
    questions: named(questionName, question),
  }),
  anything,
)
