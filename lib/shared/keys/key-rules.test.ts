import { expect, it } from "vitest"
import { SetKeyRulesInput } from "./key-rules"

const faultsOf = (input: object) => SetKeyRulesInput.safeParse(input).error?.issues.map(({ path }) => path.join("."))

it.each([
  ["", ""],
  ["5", ""],
  ["", "0.50"],
  ["5", "5"],
])("a default of %j and a maximum of %j are accepted", (defaultUsd, maxUsd) => {
  expect(faultsOf({ defaultUsd, defaultPeriod: "daily", maxUsd })).toBeUndefined()
})

it.each([
  ["5.01", "5", "defaultUsd"],
  ["0", "", "defaultUsd"],
  ["", "-1", "maxUsd"],
  ["", "ten", "maxUsd"],
])("a default of %j and a maximum of %j are refused at the field %s", (defaultUsd, maxUsd, field) => {
  expect(faultsOf({ defaultUsd, defaultPeriod: "lifetime", maxUsd })).toContain(field)
})
