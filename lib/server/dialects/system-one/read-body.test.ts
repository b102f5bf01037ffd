import { expect, test } from "vitest"
import { checkBody, checkRequest } from "@/lib/shared/decisions/check-request"
import { readSystemOne } from "./read-body"

const REFUND = { type: "noul", instructions: "Refund?" }
const BODY = { model: "jev-latest", state: "Refund me.", questions: { refund: REFUND } }

const read = (body: unknown) => checkBody(Buffer.from(JSON.stringify(body)), readSystemOne)
const contract = (body: unknown) => checkRequest(Buffer.from(JSON.stringify(body)))

const refused = (body: unknown) => {
  const result = read(body)
  return result.ok ? null : { param: result.param, message: result.message }
}

test.each([
  ["an empty text", { ...BODY, state: "" }],
  ["an empty object", { ...BODY, state: {} }],
  ["an empty list", { ...BODY, state: [] }],
  ["criteria that are null", { ...BODY, questions: { refund: { ...REFUND, criteria: null } } }],
  ["unknown fields", { ...BODY, session_id: "s", trace: { name: "x" }, assets: null }],
  ["a name with a dot", { ...BODY, questions: { "order.refund": REFUND } }],
  ["a name of one space", { ...BODY, questions: { " ": REFUND } }],
  ["a name of 256 characters", { ...BODY, questions: { ["é".repeat(256)]: REFUND } }],
])("%s is read, and the contract refuses it", (_what, body) => {
  expect(refused(body)).toBeNull()
  expect(contract(body).ok).toBe(false)
})

test("names that the contract allows reach engines as they are", () => {
  expect(read(BODY)).toEqual(contract(BODY))
})

test("engines get names of this service when one name would be refused, and answers keep the client's", () => {
  const result = read({ ...BODY, questions: { "a.b": REFUND, q1: REFUND } })
  if (!result.ok) throw new Error(result.message)
  expect(result.request.questions.map(({ name }) => name)).toEqual(["q1", "q2"])
  expect(result.request.clientNames).toEqual(["a.b", "q1"])
})

const NAME_RULE = "The name of a question has 1 to 256 characters and no control characters."
const NO_IMAGES = "This service does not take images. Send the text that they show."

test.each([
  ["an empty name", { ...BODY, questions: { "": REFUND } }, "questions", NAME_RULE],
  ["a name of 257 characters", { ...BODY, questions: { ["é".repeat(257)]: REFUND } }, "questions", NAME_RULE],
  ["a name with a line break", { ...BODY, questions: { "a\nb": REFUND } }, "questions", NAME_RULE],
  ["a name with a C1 control", { ...BODY, questions: { "a\u009fb": REFUND } }, "questions", NAME_RULE],
  ["assets", { ...BODY, assets: { a: { type: "image" } } }, "assets", NO_IMAGES],
  [
    "an image in the state",
    { ...BODY, state: [{ image_url: { url: "data:" }, type: "image_url" }] },
    "state",
    NO_IMAGES,
  ],
  [
    "a box question",
    { ...BODY, questions: { where: { type: "box", instructions: "Where is it?" } } },
    "questions.where.type",
    "This service does not answer `box` questions, because it does not take images.",
  ],
  ["a missing state", { ...BODY, state: undefined }, "state", "This field is required."],
  [
    "129 questions",
    { ...BODY, questions: Object.fromEntries(Array.from({ length: 129 }, (_, i) => [`q${i}`, REFUND])) },
    "questions",
    "A request has 1 to 128 questions.",
  ],
  ["a number as the state", { ...BODY, state: 1 }, "state", "The state must be a string, an object or an array."],
  [
    "a yes/no question about nothing",
    { ...BODY, questions: { "a.b": { type: "noul", criteria: null } } },
    "questions.a.b",
    "A noul question needs instructions or criteria.",
  ],
])("%s is refused by its field", (_what, body, param, message) => {
  expect(refused(body)).toEqual({ param, message })
})

test("a text about an image part is no image", () => {
  expect(refused({ ...BODY, state: ['{"type":"image_url"}'] })).toBeNull()
  expect(refused({ ...BODY, state: { type: "image_url" } })).toBeNull()
})

test("more fields than are recorded are refused, so that none is missed", () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i}`, i]))
  expect(refused({ ...many, ...BODY })).toEqual({ param: "body", message: "The body has more than 300 fields." })
})
