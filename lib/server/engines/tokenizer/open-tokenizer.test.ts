import { expect, it } from "vitest"
import { BYTE_LEVEL, tinyTokenizer } from "@/test/tiny-tokenizer"
import { growthOf } from "./open-tokenizer"

const splitThenBytes = (step: object) => ({
  preTokenizer: { type: "Sequence", pretokenizers: [step, { type: "ByteLevel", add_prefix_space: false }] },
})

it.each<[string, Parameters<typeof tinyTokenizer>[0], object, string]>([
  ["no normaliser", {}, {}, "none"],
  ["one that only strips", { normalizer: { type: "Strip", strip_left: true, strip_right: true } }, {}, "none"],
  ["Unicode composition, which can make three letters of one", { normalizer: { type: "NFC" } }, {}, "ascii"],
  ["compatibility forms, which can make eighteen", { normalizer: { type: "NFKC" } }, {}, "ascii"],
  ["lower case", { normalizer: { type: "Lowercase" } }, {}, "ascii"],
  ["lower case of the tokenizer's settings", {}, { do_lowercase_and_remove_accent: true }, "ascii"],
  [
    "several, the worst of them",
    { normalizer: { type: "Sequence", normalizers: [{ type: "NFC" }, { type: "Prepend", prepend: "▁" }] } },
    {},
    "any",
  ],
  ["what replaces", { normalizer: { type: "Replace", pattern: { String: " " }, content: "▁" } }, {}, "any"],
  ["an unknown one", { normalizer: { type: "Precompiled" } }, {}, "any"],
  ["a space put before each piece", { preTokenizer: { type: "ByteLevel", add_prefix_space: true } }, {}, "any"],
  ["pieces cut first", splitThenBytes({ type: "Digits", individual_digits: true }), {}, "none"],
  ["pieces lengthened first", splitThenBytes({ type: "Metaspace", replacement: "▁" }), {}, "any"],
  ["letters and not bytes", { preTokenizer: { type: "Metaspace" }, model: { byte_fallback: true } }, {}, "any"],
  ["another model than byte pairs", { model: { type: "Unigram" } }, {}, "any"],
  ["letters out of the vocabulary taken apart again", { model: { byte_fallback: true } }, {}, "any"],
])("with %s bounds a text's tokens by its bytes", (_, options, config, growth) => {
  expect(growthOf(tinyTokenizer(options), config)).toBe(growth)
})

it("is unknown for a file that is not a tokenizer", () => {
  for (const value of [null, 1, [], {}, { model: null, pre_tokenizer: BYTE_LEVEL }])
    expect(growthOf(value, {})).toBe("any")
})
