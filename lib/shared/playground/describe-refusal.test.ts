import { expect, test } from "vitest"
import { type ErrorCode, errorTable } from "@/lib/shared/errors"
import { describeRefusal } from "./describe-refusal"

const NOW = new Date("2026-11-20T18:48:00Z")
const describe = (code: ErrorCode, extra = {}) =>
  describeRefusal({ code, message: errorTable[code].message, retryAfterSeconds: null, ...extra }, NOW)

test("every code of the spec has words of its own and a next step", () => {
  const codes = (Object.keys(errorTable) as ErrorCode[]).filter((code) => code !== "method_not_allowed")
  const described = codes.map((code) => describe(code))
  expect(described.filter(({ title, steps }) => title === "The request was refused" || steps.length === 0)).toEqual([])
  // A key is named by id here, so "revoked" and "not found" are one thing.
  expect(new Set(described.map(({ title }) => title)).size).toBe(codes.length - 1)
})

test("a daily limit says when requests resume, a lifetime limit asks for another key", () => {
  expect(describe("key_limit_reached", { limit_usd: "0.500000", resets_at: "2026-11-21T00:00:00Z" })).toEqual({
    title: "Daily limit of $0.50 reached",
    advice: "Requests resume at 00:00 UTC, in 5 h 12 min. Until then spend as another key.",
    steps: ["other_key", "create_key"],
  })
  expect(describe("key_limit_reached", { limit_usd: "0.500000", resets_at: null }).title).toBe(
    "Lifetime limit of $0.50 reached",
  )
})

test("a low balance says both amounts, and whether topping up is possible", () => {
  const amounts = { required_usd: "0.020000", available_usd: "-0.000041" }
  expect(describe("insufficient_balance", { ...amounts, topup_url: "http://x/billing/top-up?amount=10" }).advice).toBe(
    "This request sets aside $0.02; −$0.000041 is available. Top up with enough already chosen, come back, and run again: what you typed is kept.",
  )
  expect(describe("insufficient_balance", { ...amounts, topup_url: null }).advice).toContain("Top-ups are off")
})

test("a bad field and an input the model refuses are told apart", () => {
  expect(describe("invalid_request", { param: "state" }).steps).toEqual(["fix_field"])
  expect(describe("invalid_request").steps).toEqual(["shorten", "other_model"])
})

test("a key that is gone, found by its id or in between, asks for another", () => {
  for (const code of ["not_found", "invalid_api_key"] as const)
    expect(describe(code)).toMatchObject({
      title: "The chosen key can no longer be used",
      advice: "It was revoked or has expired. Choose another under Spends as.",
      steps: ["other_key"],
    })
})
