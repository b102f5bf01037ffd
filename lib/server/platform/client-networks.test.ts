import { expect, test } from "vitest"
import { addressBlock } from "@/lib/server/platform/client-address"
import { networksOf } from "./client-networks"

test.each([
  ["192.0.2.77", ["192.0.2.0/24"]],
  ["2001:db8:1:2ff::9", ["2001:db8:1:200::/56", "2001:db8:1::/48"]],
  ["2001:db8::9", ["2001:db8:0:0::/56", "2001:db8:0::/48"]],
  ["", []],
])("a client at %j is in the networks %j", (address, networks) => {
  expect(networksOf(addressBlock(address)).map(({ network }) => network)).toEqual(networks)
})
