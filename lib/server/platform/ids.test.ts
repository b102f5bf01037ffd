import fc from "fast-check"
import { expect, it } from "vitest"
import { newId, parsePublicId, publicId } from "./ids"

it("writes a UUID as a prefix and 26 base32 characters", () => {
  expect(publicId("req", "0198c8f0-7d4b-7000-8000-000000000001")).toBe("req_01k34f0zabe008000000000001")
})

it("parses every id that it writes, and nothing else", () => {
  fc.assert(
    fc.property(fc.uuid(), (uuid) => {
      expect(parsePublicId("key", publicId("key", uuid))).toBe(uuid)
    }),
  )
  const id = publicId("key", newId())
  expect(parsePublicId("req", id)).toBeNull()
  expect(parsePublicId("key", `${id}0`)).toBeNull()
  expect(parsePublicId("key", "key_zzzzzzzzzzzzzzzzzzzzzzzzzz")).toBeNull()
})

it("orders new ids by time", () => {
  const ids = Array.from({ length: 50 }, () => publicId("req", newId()))
  expect(ids.toSorted()).toEqual(ids)
})
