import { expect, test } from "vitest"
import { type ErrorCode, errorTable } from "@/lib/shared/errors"
import { describeRefusal } from "./describe-refusal"

const NOW = new Date("2026-11-20T18:48:00Z")
const describe = (code: ErrorCode, extra = {}) =>
  describeRefusal({ code, message: errorTable[code].message, retryAfterSeconds: null, ...extra }, NOW)

test("every error code has a title of its own and a next step", () => {
  const codes = Object.keys(errorTable) as ErrorCode[]
  const described = codes.map((code) => describe(code))
  expect(described.filter(({ title, steps }) => title === "The request failed" || steps.length === 0)).toEqual([])
  // The playground sends the key's id, so invalid_api_key and not_found mean the same.
  expect(new Set(described.map(({ title }) => title)).size).toBe(codes.length - 1)
})

test("a daily limit says when it resets, and the title distinguishes it from a lifetime limit", () => {
  expect(describe("key_limit_reached", { limit_usd: "0.500000", resets_at: "2026-11-21T00:00:00Z" })).toEqual({
    title: "Daily limit of $0.50 reached",
    advice: "The limit resets at 00:00 UTC, in 5 h 12 min. Until then, charge another key.",
    steps: ["other_key", "create_key"],
  })
  expect(describe("key_limit_reached", { limit_usd: "0.500000", resets_at: null }).title).toBe(
    "Lifetime limit of $0.50 reached",
  )
})

test("a low balance shows both amounts and whether top-ups are possible", () => {
  const amounts = { required_usd: "0.020000", available_usd: "-0.000041" }
  expect(describe("insufficient_balance", { ...amounts, topup_url: "http://x/billing/top-up?amount=10" }).advice).toBe(
    "This request needs up to $0.02. Your available balance is −$0.000041. Top up, come back and run again.",
  )
  expect(describe("insufficient_balance", { ...amounts, topup_url: null }).advice).toContain("Top-ups are off")
})

test("a member who may not pay is asked to find one who may, with no link to the top-up", () => {
  const refusal = {
    code: "insufficient_balance",
    message: "",
    retryAfterSeconds: null,
    topup_url: "http://x/billing/top-up?amount=10",
  }
  expect(describeRefusal(refusal, NOW, false)).toEqual({
    title: "Your balance is too low",
    advice: "Ask an owner or a billing member of this account to add credit. Then run again.",
    steps: [],
  })
  expect(describeRefusal({ ...refusal, topup_url: null }, NOW, false).steps).toEqual(["top_up"])
})

test("an invalid field and an input that the model refuses have different steps", () => {
  expect(describe("invalid_request", { param: "state" }).steps).toEqual(["fix_field"])
  expect(describe("invalid_request").steps).toEqual(["shorten", "other_model"])
})

test("a paused, revoked or expired key asks for another key", () => {
  for (const code of ["not_found", "invalid_api_key"] as const)
    expect(describe(code)).toMatchObject({
      title: "This key can no longer be used",
      advice: "It is paused, revoked or expired. Choose another key under “Charge to”.",
      steps: ["other_key"],
    })
})

test.each(["unreadable", "constructor"])("the unknown code %s shows the message and offers to run again", (code) => {
  expect(describeRefusal({ code, message: "No.", retryAfterSeconds: null }, NOW)).toEqual({
    title: "The request failed",
    advice: "No.",
    steps: ["run_again"],
  })
})

test("a refusal of a role or of another origin is shown with the server's own reason", () => {
  expect(describe("forbidden", { message: "Only an owner of this account can run decisions." })).toEqual({
    title: "You cannot run this request here",
    advice: "Only an owner of this account can run decisions. Nothing was charged.",
    steps: ["reload"],
  })
})
