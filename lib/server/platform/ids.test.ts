import fc from "fast-check"
import { validate, version } from "uuid"
import { expect, it, vi } from "vitest"
import { newId, parsePublicId, publicId, timeOf } from "./ids"

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
  // 128 bits that are no UUID of any version.
  expect(parsePublicId("key", "key_1zzzzzzzzzzzzzzzzzzzzzzzzz")).toBeNull()
})

it("orders new ids by time", () => {
  const ids = Array.from({ length: 50 }, () => publicId("req", newId()))
  expect(ids.toSorted()).toEqual(ids)
})

it("creates valid, distinct ids of the current time, in order while the clock is frozen or set back", () => {
  const now = Date.UTC(2026, 10, 22)
  const clock = vi.spyOn(Date, "now").mockReturnValue(now)
  const ids = Array.from({ length: 600 }, newId)
  clock.mockReturnValue(now - 5_000)
  ids.push(newId())
  clock.mockRestore()
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true)
  expect(new Set(ids.map((id) => id.slice(-12))).size).toBe(601)
  expect(ids.toSorted()).toEqual(ids)
  expect(ids.every((id) => timeOf(id) >= new Date(now))).toBe(true)
})
