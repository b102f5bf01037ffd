import { expect, test } from "vitest"
import { planLimit, suggestLimit } from "./plan-limit"

const TEN = { count: 10, totalUsd: "0.000821000000", pricePerMillionUsd: "0.020000" }

test.each([
  ["1", "daily", TEN, "$1.00 a day is about 12,000 decisions like your last ten."],
  ["0.50", "lifetime", TEN, "$0.50 is about 6,000 decisions like your last ten."],
  ["250", "lifetime", TEN, "$250.00 is about 3,000,000 decisions like your last ten."],
  ["0.001", "daily", TEN, "$0.001 a day is about 12 decisions like your last ten."],
  ["0.0001", "daily", TEN, "$0.0001 a day is about 1 decision like your last ten."],
  ["0.00001", "daily", TEN, "$0.00001 a day is less than one decision like your last ten."],
  [
    "1",
    "daily",
    { ...TEN, count: 3, totalUsd: "0.000030" },
    "$1.00 a day is about 100,000 decisions like your last three.",
  ],
  ["1", "daily", { ...TEN, count: 1 }, "$1.00 a day is about 1,200 decisions like your last one."],
  [
    "1",
    "daily",
    { ...TEN, totalUsd: "0" },
    "Decisions like your last ten cost nothing, so nothing counts against a limit yet.",
  ],
  ["1", "daily", { ...TEN, count: 0 }, "$1.00 a day pays for about 50,000,000 input tokens at today's price."],
  [
    "1",
    "daily",
    { count: 0, totalUsd: "0", pricePerMillionUsd: "0.000000" },
    "The current model costs nothing, so nothing counts against a limit yet.",
  ],
  [
    "1",
    "daily",
    { count: 0, totalUsd: "0", pricePerMillionUsd: null },
    "After your first decisions, this shows how many of them an amount pays for.",
  ],
] as const)("%s USD %s", (amount, period, sample, text) => {
  expect(planLimit(amount, period, sample)).toBe(text)
})

test.each(["", "0", "-1", "abc", "1e3"])("there is no description for %j", (amount) => {
  expect(planLimit(amount, "daily", TEN)).toBeNull()
})

test.each([
  ["without a decision", { ...TEN, count: 0, totalUsd: "0" }, "1"],
  ["for decisions that cost nothing", { ...TEN, totalUsd: "0" }, "1"],
  ["for $0.0000821 a decision", TEN, "1"],
  ["for $0.00011 a decision", { ...TEN, totalUsd: "0.001100000000" }, "2"],
  ["for $0.0002 a decision", { ...TEN, totalUsd: "0.002000000000" }, "2"],
  ["for just above $0.0002 a decision", { ...TEN, totalUsd: "0.002000000001" }, "5"],
  ["for $0.0006 a decision", { ...TEN, count: 1, totalUsd: "0.000600000000" }, "10"],
  ["for $1 a decision", { ...TEN, totalUsd: "10" }, "50"],
] as const)("the suggested limit %s is a round amount that pays for 10,000 of them", (_, sample, amount) => {
  expect(suggestLimit(sample, null)).toBe(amount)
})

test.each([
  ["0.500000000000", "0.50"],
  ["2.000000000000", "2.00"],
  ["20.000000000000", "5"],
])("with a maximum of %s, the suggested limit is %s", (maxUsd, amount) => {
  expect(suggestLimit({ ...TEN, totalUsd: "0.005000000000" }, maxUsd)).toBe(amount)
})
