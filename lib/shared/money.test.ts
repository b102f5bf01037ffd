import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  ceilToCent,
  cost,
  costOfAll,
  costOfPart,
  parsePricePerMillion,
  parseUsd,
  pico,
  reservedTokens,
  roundUsd,
  usd6Ceil,
  usd6Floor,
  usd12,
  usdPerMillion,
} from "@/lib/shared/money"

describe("money is exact", () => {
  it("charges tokens times price without rounding", () => {
    const price = parsePricePerMillion("0.020000")
    expect(price).toBe(20_000n)
    expect(cost(4_321, price ?? pico(0))).toBe(86_420_000n)
    expect(usd12(pico(86_420_000n))).toBe("0.000086420000")
  })

  it("prices many requests, a part of one and what to reserve for one", () => {
    expect(costOfAll(3, 1_000, pico(20_000n))).toBe(20_000_000n)
    expect(costOfAll(0, 0, pico(20_000n))).toBe(0n)
    expect(costOfPart(30, 100, pico(20_000n))).toBe(600_000n)
    expect([reservedTokens(100, pico(20_000n)), reservedTokens(100, pico(0n))]).toEqual([100, 100])
  })

  it.each([
    ["0.5", 500_000_000_000n],
    ["12", 12_000_000_000_000n],
    ["-0.000000000001", -1n],
    [" 1.00 ", 1_000_000_000_000n],
  ])("reads %s", (text, expected) => expect(parseUsd(text)).toBe(expected))

  it.each(["", "1e3", "1.", ".5", "1,000", "0x10", "0.0000000000001", "99999999", "NaN"])("refuses %s", (text) =>
    expect(parseUsd(text)).toBeNull(),
  )

  it("shows what is available rounded down and what is required rounded up", () => {
    expect(usd6Floor(pico(1_999_999n))).toBe("0.000001")
    expect(usd6Floor(pico(-1n))).toBe("-0.000001")
    expect(usd6Floor(pico(-1_000_000n))).toBe("-0.000001")
    expect(usd6Ceil(pico(1n))).toBe("0.000001")
    expect(usd6Ceil(pico(2_000_000n))).toBe("0.000002")
    expect(usd6Ceil(pico(0n))).toBe("0.000000")
  })

  it("rounds to cents for display, half a cent away from zero, and up for a cap", () => {
    expect(roundUsd(pico(14_999_999_999n), 2, "nearest")).toBe(10_000_000_000n)
    expect(roundUsd(pico(15_000_000_000n), 2, "nearest")).toBe(20_000_000_000n)
    expect(roundUsd(pico(-15_000_000_000n), 2, "nearest")).toBe(-20_000_000_000n)
    expect(roundUsd(pico(-14_999_999_999n), 2, "nearest")).toBe(-10_000_000_000n)
    expect(roundUsd(pico(19_999_999_999n), 2, "down")).toBe(10_000_000_000n)
    expect(roundUsd(pico(-10_000_000_001n), 2, "down")).toBe(-20_000_000_000n)
    expect(roundUsd(pico(-10_000_000_001n), 12, "down")).toBe(-10_000_000_001n)
    expect(ceilToCent(pico(10_000_000_001n))).toBe(20_000_000_000n)
    expect(ceilToCent(pico(10_000_000_000n))).toBe(10_000_000_000n)
    expect(ceilToCent(pico(0n))).toBe(0n)
  })

  it("keeps prices at six decimals and refuses finer or negative ones", () => {
    expect(usdPerMillion(pico(20_000n))).toBe("0.020000")
    expect(usdPerMillion(null)).toBeNull()
    expect(parsePricePerMillion("0.0000001")).toBeNull()
    expect(parsePricePerMillion("-1")).toBeNull()
  })

  it("loses nothing between its twelve decimals and the amount", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -9n * 10n ** 18n, max: 9n * 10n ** 18n }), (amount) => {
        expect(parseUsd(usd12(pico(amount)))).toBe(amount)
      }),
    )
  })
})
