import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { AccountNameInput } from "./accounts/members"
import { CreateTokenInput } from "./accounts/schema"
import { ChangeKeyInput } from "./keys/schema"
import { Note } from "./operator/forms"

const SCHEMAS = {
  "the name of a key": (text: string) => ChangeKeyInput.safeParse({ id: "key_1", name: text }),
  "the note of a key": (text: string) => ChangeKeyInput.safeParse({ id: "key_1", name: "a", note: text }),
  "the name of a token": (text: string) => CreateTokenInput.safeParse({ name: text, expiresAt: null }),
  "the name of an account": (text: string) => AccountNameInput.safeParse({ name: text }),
  "a note of the operator": (text: string) => Note.safeParse(text),
}

/** Every character that draws nothing by itself: what fonts leave out, marks without a letter, and symbols without a shape. */
const BLANK = Array.from({ length: 0x11_0000 }, (_, code) => String.fromCodePoint(code)).filter((character) =>
  /^[\p{Default_Ignorable_Code_Point}\p{M}\u2800\u{1D159}\u{13441}\u{13442}]$/u.test(character),
)

describe.each(Object.entries(SCHEMAS))("%s", (_, parse) => {
  test.each([
    ["NUL", "\0"],
    ["a line feed", "\n"],
    ["a tab", "\t"],
    ["a line separator", "\u2028"],
    ["a paragraph separator", "\u2029"],
    ["a right-to-left override", "\u202E"],
    ["a left-to-right embedding", "\u202A"],
    ["a first strong isolate", "\u2068"],
    ["a right-to-left mark", "\u200F"],
    ["an Arabic letter mark", "\u061C"],
    ["a zero-width space", "\u200B"],
    ["a zero-width joiner", "\u200D"],
    ["a joiner after an emoji", "👩\u200D"],
    ["a joiner before an emoji", "\u200D👩"],
    ["two joiners between emoji", "👩\u200D\u200D👩"],
    ["a word joiner", "\u2060"],
    ["a byte order mark", "\uFEFF"],
    ["a soft hyphen", "\u00AD"],
    ["a Hangul filler", "\u3164"],
    ["a tag", "\u{E0041}"],
    ["an annotation anchor", "\uFFF9"],
    ["half of a character", "\uD800"],
    ["a variation selector after a blank", "\uFE0F"],
    ["two variation selectors after an emoji", "❤\uFE0F\uFE0F"],
    ["a grapheme joiner", "\u034F"],
    ["a Braille blank", "\u2800"],
  ])("does not accept %s", (_name, character) => {
    expect(parse(`Acme ${character} Ltd`).error?.issues.map(({ message }) => message)).toContain(
      "Use letters, digits and punctuation only, in one line.",
    )
  })

  test("does not accept a text whose characters draw nothing", () => {
    expect(BLANK.filter((character) => parse(character).success && character.trim() !== "")).toEqual([])
    const blanks = fc.array(fc.constantFrom(...BLANK, " "), { minLength: 1, maxLength: 20 }).map((all) => all.join(""))
    fc.assert(
      fc.property(blanks, (text) => {
        fc.pre(text.trim() !== "")
        expect(parse(text).success).toBe(false)
      }),
      { examples: [["\uFE0F\uFE0F"], ["\u{E0100}\u{E01EF}"], ["\u180B\u180F"], ["\u115F\u1160\u3164\uFFA0"]] },
    )
  })

  test.each([
    "Größe 大 9",
    "עברית",
    "हिन्दी",
    "I ❤️ it 👍🏽",
    "👨‍👩‍👧 👩🏽‍🚀 🏳️‍🌈 ❤️‍🔥",
    "1️⃣",
    "葛\u{E0100}城",
    "ᠠ\u180B",
    "Crème brûlée (v2), 50%!",
  ])("can be %s", (text) => {
    expect(JSON.stringify(parse(`  ${text}\n`).data)).toContain(`"${text}"`)
  })
})
