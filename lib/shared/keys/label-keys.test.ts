import { expect, test } from "vitest"
import { labelKeys } from "./label-keys"

test("keys with the same name show the end of their secret", () => {
  const keys = [
    { id: "key_1", name: "CI", masked: "svcd_AbCd…wXyZ" },
    { id: "key_2", name: "CI", masked: "svcd_EfGh…1234" },
    { id: "key_3", name: "Production", masked: "svcd_IjKl…5678" },
    { id: "key_4", name: "Playground", masked: null },
    { id: "key_5", name: "Playground", masked: "svcd_MnOp…90ab" },
  ]
  expect([...labelKeys(keys).values()]).toEqual([
    "CI …wXyZ",
    "CI …1234",
    "Production",
    "Playground (built in)",
    "Playground …90ab",
  ])
})
