import { expect, it } from "vitest"
import { BYTE_LEVEL, tinyTokenizer } from "@/test/tiny-tokenizer"
import { type Growth, growthOf } from "./open-tokenizer"

const splitThenBytes = (step: object) => ({
  preTokenizer: { type: "Sequence", pretokenizers: [step, { type: "ByteLevel", add_prefix_space: false }] },
})

it.each<[string, Parameters<typeof tinyTokenizer>[0], object, Growth]>([
  ["no normaliser", {}, {}, 1],
  ["one that only strips", { normalizer: { type: "Strip", strip_left: true, strip_right: true } }, {}, 1],
  ["Unicode composition, which can make three bytes of one", { normalizer: { type: "NFC" } }, {}, 3],
  ["compatibility forms, which can make eleven", { normalizer: { type: "NFKC" } }, {}, 11],
  ["lower case", { normalizer: { type: "Lowercase" } }, {}, 1.5],
  ["lower case of the tokenizer's settings", {}, { do_lowercase_and_remove_accent: true }, 1.5],
  [
    "several, one after the other",
    {
      normalizer: { type: "Sequence", normalizers: [{ type: "NFD" }, { type: "Lowercase" }, { type: "StripAccents" }] },
    },
    {},
    4.5,
  ],
  [
    "several, one of them unknown",
    { normalizer: { type: "Sequence", normalizers: [{ type: "NFC" }, { type: "Prepend", prepend: "▁" }] } },
    {},
    null,
  ],
  ["what replaces", { normalizer: { type: "Replace", pattern: { String: " " }, content: "▁" } }, {}, null],
  ["an unknown one", { normalizer: { type: "Precompiled" } }, {}, null],
  ["a space put before each piece", { preTokenizer: { type: "ByteLevel", add_prefix_space: true } }, {}, null],
  ["pieces cut first", splitThenBytes({ type: "Digits", individual_digits: true }), {}, 1],
  ["pieces of one length first, which may cut a letter", splitThenBytes({ type: "FixedLength", length: 5 }), {}, null],
  ["bytes of bytes", splitThenBytes({ type: "ByteLevel", add_prefix_space: false }), {}, null],
  ["pieces lengthened first", splitThenBytes({ type: "Metaspace", replacement: "▁" }), {}, null],
  ["letters and not bytes", { preTokenizer: { type: "Metaspace" }, model: { byte_fallback: true } }, {}, null],
  ["another model than byte pairs", { model: { type: "Unigram" } }, {}, null],
  ["letters out of the vocabulary taken apart again", { model: { byte_fallback: true } }, {}, null],
])("the growth with %s is the bound, or null without one", (_, options, config, growth) => {
  expect(growthOf(tinyTokenizer(options), config)).toBe(growth)
})

it.each([
  ["NFC", 3],
  ["NFD", 3],
  ["NFKC", 11],
  ["NFKD", 11],
])("%s makes at most %d bytes of one, in any letter", (form, growth) => {
  expect(greatest((letter) => letter.normalize(form))).toBe(growth)
})

it("lower case makes at most 1.5 bytes of one, in any letter", () => {
  expect(greatest((letter) => letter.toLowerCase())).toBe(1.5)
})

/** Returns the greatest lengthening of one letter of Unicode's first three planes, in UTF-8. The others have none to change. */
function greatest(change: (letter: string) => string): number {
  let most = 0
  for (let code = 0x80; code < 0x30000; code++) {
    const letter = String.fromCodePoint(code)
    most = Math.max(most, Buffer.byteLength(change(letter)) / Buffer.byteLength(letter))
  }
  return most
}

it("the growth of a file that is not a tokenizer is unknown", () => {
  for (const value of [null, 1, [], {}, { model: null, pre_tokenizer: BYTE_LEVEL }])
    expect(growthOf(value, {})).toBe(null)
})
