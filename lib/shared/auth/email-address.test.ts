import { expect, test } from "vitest"
import { parseEmailAddress } from "./email-address"

const ACCEPTED: [string, string][] = [
  ["ada@example.com", "ada@example.com"],
  ["  Ada.Lovelace@Example.COM \n", "ada.lovelace@example.com"],
  ["ada+tests@mail.example.co.uk", "ada+tests@mail.example.co.uk"],
  ["o'hara_1%x@a-b.example", "o'hara_1%x@a-b.example"],
  [`${"a".repeat(64)}@example.com`, `${"a".repeat(64)}@example.com`],
]

const REFUSED: [string, unknown][] = [
  ["nothing", ""],
  ["no text", undefined],
  ["no domain", "ada"],
  ["no local part", "@example.com"],
  ["a bare host", "ada@localhost"],
  ["two at signs", "ada@evil.example@example.com"],
  ["two addresses", "ada@example.com,eve@example.com"],
  ["quotes", '"ada@evil.example"@example.com'],
  ["a name", "Ada <ada@example.com>"],
  ["an inner space", "ada lovelace@example.com"],
  ["a header injection", "ada@example.com\r\nBcc: eve@example.com"],
  ["a NUL", "ada\u0000@example.com"],
  ["a full-width letter", "ａda@example.com"],
  ["a full-width at sign", "ada＠example.com"],
  ["a Kelvin sign, which lower-cases to k", "\u212Aate@example.com"],
  ["a dotless i", "adm\u0131n@example.com"],
  ["a no-break space before it", "\u00A0ada@example.com"],
  ["an international domain", "ada@exämple.com"],
  ["two dots", "a..da@example.com"],
  ["a leading dot", ".ada@example.com"],
  ["a leading hyphen in the domain", "ada@-example.com"],
  ["an address literal", "ada@[127.0.0.1]"],
  ["a local part of 65 characters", `${"a".repeat(65)}@example.com`],
  ["255 characters", `a@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.${"e".repeat(60)}.example.c`],
]

test.each(ACCEPTED)("%j is the address %j", (typed, address) => {
  expect(parseEmailAddress(typed)).toBe(address)
})

test.each(REFUSED)("%s is refused", (_name, typed) => {
  expect(parseEmailAddress(typed)).toBeNull()
})

test("a long text is refused before it is trimmed, which would take quadratic time", () => {
  expect(parseEmailAddress(`a${" ".repeat(1_000_000)}b`)).toBeNull()
  expect(parseEmailAddress(`${" ".repeat(985)}ada@example.com`)).toBe("ada@example.com")
  expect(parseEmailAddress(`${" ".repeat(986)}ada@example.com`)).toBeNull()
})
