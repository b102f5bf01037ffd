import { expect, test } from "vitest"
import { ServiceError } from "@/lib/shared/errors"
import { limitsOf } from "./request-details"
import { retriesOf } from "./retries-of"

const rates = {
  perSecond: { key: 10, account: 20 },
  window: { limit: 10, used: 11, remaining: 0, resetSeconds: 1, exceeded: true, retryAfterMs: 1_700 },
}
const none = { retryAfterSeconds: null, keyLimitUsd: null, keyResetsAt: null, requiredUsd: null, availableUsd: null }
const rate = { perKey: 10, perAccount: 20, limit: 10, counted: 11, remaining: 0, resetSeconds: 1 }

test("a refused request keeps the limits that its response stated, and no address of a page", () => {
  expect(limitsOf(rates, new ServiceError("rate_limited", { retryAfterSeconds: 2 }))).toEqual({
    ...{ ...none, rate, retryAfterSeconds: 2 },
  })
  const limit = { limit_usd: "5.000000", resets_at: "2026-11-21T00:00:00.000Z" }
  expect(limitsOf(rates, new ServiceError("key_limit_reached", { extra: limit }))).toEqual({
    ...{ ...none, rate, keyLimitUsd: "5.000000", keyResetsAt: "2026-11-21T00:00:00.000Z" },
  })
  const balance = { required_usd: "0.000002", available_usd: "0.000001", topup_url: "https://pay.example" }
  expect(limitsOf(rates, new ServiceError("insufficient_balance", { extra: balance }))).toEqual({
    ...{ ...none, rate, requiredUsd: "0.000002", availableUsd: "0.000001" },
  })
  // Like its response, which has no headers of the rate.
  expect(limitsOf(rates, new ServiceError("invalid_api_key"))).toEqual({ ...none, rate: null })
})

test.each([
  [{}, 0],
  [{ "x-stainless-retry-count": "0" }, 0],
  [{ "x-stainless-retry-count": "2" }, 2],
  [{ "x-retry-count": "3" }, 3],
  [{ "x-retry-attempt": "1e9" }, 1_000],
  [{ "x-retry-count": "often" }, 0],
  [{ "x-retry-count": "1.5" }, 0],
])("the headers %j say %i retries", (headers, retries) => {
  expect(retriesOf(headers)).toBe(retries)
})
