import { expect, test } from "vitest"
import { readEnv } from "@/lib/server/platform/env"
import { parseUsd, pico } from "@/lib/shared/money"
import { topupUrl } from "./topup-terms"

const usd = (text: string) => parseUsd(text) ?? pico(0)

function amountFor(required: string, available: string, settings: Record<string, string> = {}): string | null {
  const env = readEnv({ STRIPE_SECRET_KEY: "sk_test_x", ...settings })
  const url = topupUrl(env, usd(required), usd(available))
  return url?.replace("http://localhost:3000/billing/top-up?amount=", "") ?? null
}

test.each([
  ["the smallest preset when little is missing", "0.02", "0.004", "10"],
  ["a preset that covers the missing amount", "12.00", "1.00", "25"],
  ["the next preset when one would leave a balance of zero", "10.000000000000", "0", "25"],
  ["whole dollars above every preset", "180.01", "0", "181"],
  ["enough to pay a negative balance too", "0.02", "-60.00", "100"],
  ["enough to be above zero when the request costs nothing", "0", "0", "10"],
  ["enough to be above zero when the request costs nothing and the balance is negative", "0", "-25.00", "50"],
  ["the largest top-up when even that is too little", "9000", "-100", "5000"],
])("preselects %s", (_name, required, available, amount) => {
  expect(amountFor(required, available)).toBe(amount)
})

test("preselects an amount within the operator's bounds", () => {
  expect(amountFor("0.02", "0", { TOPUP_MIN_USD: "30" })).toBe("50")
  expect(amountFor("0.02", "0", { TOPUP_MIN_USD: "1", TOPUP_MAX_USD: "7" })).toBe("7")
  expect(amountFor("0.02", "0", { TOPUP_MIN_USD: "150.50", TOPUP_MAX_USD: "200" })).toBe("151")
})

test("the top-up URL is at the console's address, and null while top-ups are off", () => {
  const settings = { CONSOLE_URL: "http://127.0.0.1:8080/", STRIPE_SECRET_KEY: "sk_test_x" }
  expect(topupUrl(readEnv(settings), usd("1"), usd("0"))).toBe("http://127.0.0.1:8080/billing/top-up?amount=10")
  expect(topupUrl(readEnv({}), usd("1"), usd("0"))).toBeNull()
})
