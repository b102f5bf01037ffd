import { expect, test } from "vitest"
import { parseOptionList } from "./option-list"

test.each([
  [
    "billing\nshipping\n\nproduct",
    [
      ["billing", ""],
      ["shipping", ""],
      ["product", ""],
    ],
  ],
  [
    "- billing: Payments, refunds\n- shipping: Parcels",
    [
      ["billing", "Payments, refunds"],
      ["shipping", "Parcels"],
    ],
  ],
  [
    "1. yes\r\n2) no\r\n",
    [
      ["yes", ""],
      ["no", ""],
    ],
  ],
  [
    "red, green; blue",
    [
      ["red", ""],
      ["green", ""],
      ["blue", ""],
    ],
  ],
  [
    "a\tfirst column\nb\tsecond",
    [
      ["a", "first column"],
      ["b", "second"],
    ],
  ],
  [
    "low – nothing to do\nhigh - at once",
    [
      ["low", "nothing to do"],
      ["high", "at once"],
    ],
  ],
  [
    "twice\ntwice\nonce",
    [
      ["twice", ""],
      ["once", ""],
    ],
  ],
  [
    "10:30\nself-service",
    [
      ["10:30", ""],
      ["self-service", ""],
    ],
  ],
  [" \n ", []],
])("the list %j becomes options", (text, options) => {
  expect(parseOptionList(text, []).map(({ name, description }) => [name, description])).toEqual(options)
})

test("an option that exists already is not added again", () => {
  const existing = [{ name: "" }, { name: "shipping" }, { name: "billing" }]
  expect(parseOptionList("billing: Payments\nreturns\nshipping", existing)).toEqual([
    { name: "returns", description: "" },
  ])
  expect(parseOptionList("billing, shipping", existing)).toEqual([])
})

test("an option with 100,000 blanks is read within 1 s", () => {
  const start = performance.now()
  expect(parseOptionList(`a${" ".repeat(100_000)}b`, [])).toHaveLength(1)
  expect(performance.now() - start).toBeLessThan(1_000)
})
