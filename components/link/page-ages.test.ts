import { expect, test } from "vitest"
import { PageAges } from "./page-ages"

test("a page that was loaded ahead more than two seconds before it is shown is refreshed", () => {
  const ages = new PageAges()
  ages.loadAhead("/keys", 10_000)
  expect(ages.show("/keys", 12_001)).toBe(true)
  expect(ages.show("/keys", 12_002)).toBe(false)
})

test("a page that was loaded ahead at most two seconds before it is shown is not refreshed", () => {
  const ages = new PageAges()
  ages.loadAhead("/keys", 10_000)
  expect(ages.show("/keys", 12_000)).toBe(false)
})

test("loading a page ahead again does not reset the age of the copy that Next keeps", () => {
  const ages = new PageAges()
  ages.show("/keys", 0)
  ages.show("/usage", 1_000)
  ages.loadAhead("/keys", 9_000)
  ages.loadAhead("/keys", 10_000)
  expect(ages.show("/keys", 10_100)).toBe(true)
})

test("a page that Next no longer keeps, or that was not loaded ahead, comes from the server and is not refreshed", () => {
  const ages = new PageAges()
  ages.loadAhead("/keys", 0)
  expect(ages.show("/keys", 35_001)).toBe(false)
  expect(ages.show("/usage", 35_001)).toBe(false)
  expect(ages.show("/usage", 40_000)).toBe(false)
})

test("a refresh forgets the age of every page, because it empties Next's caches", () => {
  const ages = new PageAges()
  ages.loadAhead("/usage", 0)
  ages.loadAhead("/keys", 0)
  expect(ages.show("/keys", 5_000)).toBe(true)
  ages.loadAhead("/usage", 6_000)
  expect(ages.show("/usage", 7_000)).toBe(false)
})
