import { describe, expect, test } from "vitest"
import { ChangeKeyInput, CreateKeyInput, ReplaceKeyInput } from "./schema"

const NO_LIMIT = { name: "Production", limit: null, expiresAt: null }

describe("CreateKeyInput", () => {
  const errorsOf = (input: unknown) =>
    CreateKeyInput.safeParse(input).error?.issues.map((issue) => [issue.path.join("."), issue.message])

  test("a name is trimmed and counted in code points", () => {
    expect(CreateKeyInput.parse({ ...NO_LIMIT, name: `  ${"𝒦".repeat(64)} ` }).name).toBe("𝒦".repeat(64))
    expect(errorsOf({ ...NO_LIMIT, name: "𝒦".repeat(65) })).toEqual([["name", "Use at most 64 characters."]])
    expect(errorsOf({ ...NO_LIMIT, name: "   " })).toEqual([["name", "Enter a name."]])
  })

  test.each([
    ["", "Enter an amount in USD, such as 5 or 0.50."],
    ["1e3", "Enter an amount in USD, such as 5 or 0.50."],
    ["0,50", "Enter an amount in USD, such as 5 or 0.50."],
    ["99999999999", "Enter an amount in USD, such as 5 or 0.50."],
    ["0.00", "Enter more than zero."],
    ["-1", "Enter more than zero."],
  ])("a limit of %j is refused with a message for its field", (amountUsd, message) => {
    expect(errorsOf({ ...NO_LIMIT, limit: { amountUsd, period: "daily" } })).toEqual([["limit.amountUsd", message]])
  })

  test("an expiry date means the end of that day in UTC; the past is refused", () => {
    expect(CreateKeyInput.parse({ ...NO_LIMIT, expiresAt: "2099-12-31" }).expiresAt).toBe("2099-12-31T23:59:59.999Z")
    expect(CreateKeyInput.parse({ ...NO_LIMIT, expiresAt: "2099-12-31T10:00:00+02:00" }).expiresAt).toBe(
      "2099-12-31T08:00:00.000Z",
    )
    expect(errorsOf({ ...NO_LIMIT, expiresAt: "2020-01-01" })).toEqual([
      ["expiresAt", "Choose a day that has not passed."],
    ])
    expect(errorsOf({ ...NO_LIMIT, expiresAt: "soon" })).toEqual([["expiresAt", "Enter a date."]])
  })
})

test("a changed name and note are trimmed; a note over 200 characters and a control character are refused", () => {
  const change = { id: "key_1", name: " Billing bot ", note: " Runs at night. " }
  expect(ChangeKeyInput.parse(change)).toEqual({ id: "key_1", name: "Billing bot", note: "Runs at night." })
  for (const note of ["x".repeat(201), "a\u0000b"])
    expect(ChangeKeyInput.safeParse({ ...change, note }).error?.issues).toMatchObject([{ path: ["note"] }])
})

test("an old secret keeps working for 0 to 24 whole hours", () => {
  const hoursOf = (overlapHours: string) => ReplaceKeyInput.safeParse({ id: "key_1", overlapHours }).data?.overlapHours
  expect(["0", "1", "24"].map(hoursOf)).toEqual([0, 1, 24])
  expect(["25", "48", "-1", "1.5", "", "1e1", "024"].map(hoursOf)).toEqual(Array(7).fill(undefined))
})
