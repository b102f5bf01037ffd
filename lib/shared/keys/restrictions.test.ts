import { expect, test } from "vitest"
import { RestrictKeyInput } from "./restrictions"

const input = (networks: string) => ({ id: "key_1", models: [], routes: [], networks })

test("addresses and ranges are separated by spaces, commas or lines", () => {
  const networks = " 203.0.113.7, 10.0.0.0/8\n2001:db8::/32 ::1 "
  expect(RestrictKeyInput.parse(input(networks)).networks).toEqual([
    "203.0.113.7",
    "10.0.0.0/8",
    "2001:db8::/32",
    "::1",
  ])
  expect(RestrictKeyInput.parse(input(" ")).networks).toEqual([])
})

test.each(["example.com", "10.0.0.0/33", "10.0.0", "2001:db8::/129", "10.0.0.1-10.0.0.9", "1.2.3.4/"])(
  "%s is no address",
  (text) => {
    expect(RestrictKeyInput.safeParse(input(text)).error?.issues).toMatchObject([{ path: ["networks"] }])
  },
)

test("at most 20 addresses are taken", () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => `10.0.0.${i}`).join(" ")
  expect(RestrictKeyInput.safeParse(input(many(20))).success).toBe(true)
  expect(RestrictKeyInput.safeParse(input(many(21))).success).toBe(false)
})
