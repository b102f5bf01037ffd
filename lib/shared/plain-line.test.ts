import { describe, expect, test } from "vitest"
import { RenameAccountInput } from "./accounts/members"
import { CreateTokenInput } from "./accounts/schema"
import { ChangeKeyInput } from "./keys/schema"
import { Note } from "./operator/forms"

const SCHEMAS = {
  "the name of a key": (text: string) => ChangeKeyInput.safeParse({ id: "key_1", name: text }),
  "the note of a key": (text: string) => ChangeKeyInput.safeParse({ id: "key_1", name: "a", note: text }),
  "the name of a token": (text: string) => CreateTokenInput.safeParse({ name: text, expiresAt: null }),
  "the name of an account": (text: string) => RenameAccountInput.safeParse({ name: text }),
  "a note of the operator": (text: string) => Note.safeParse(text),
}

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
  ])("does not accept %s", (_name, character) => {
    expect(parse(`Acme ${character} Ltd`).error?.issues.map(({ message }) => message)).toContain(
      "Use letters, digits and punctuation only, in one line.",
    )
  })

  test.each(["Größe 大 9", "עברית", "हिन्दी", "I ❤️ it 👍🏽", "👨‍👩‍👧 👩🏽‍🚀 🏳️‍🌈 ❤️‍🔥", "Crème brûlée (v2), 50%!"])(
    "can be %s",
    (text) => {
      expect(JSON.stringify(parse(`  ${text}\n`).data)).toContain(`"${text}"`)
    },
  )
})
