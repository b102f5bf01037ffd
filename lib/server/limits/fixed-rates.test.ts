import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { guideValues } from "@/lib/server/docs/values"
import { testRuntime } from "@/test/database"
import { FIXED_RATES, type FixedRate, requireWithinRate } from "./fixed-rates"
import { memoryWindows } from "./windows"

const NAMES = Object.keys(FIXED_RATES) as FixedRate[]

/** All requests are in one second, however long they take. */
const inOneSecond = () => ({ rates: memoryWindows(() => 0) })

test.each(NAMES)("%s admits as many requests a second as the register says, and no more", async (name) => {
  const runtime = inOneSecond()
  for (let i = 0; i < FIXED_RATES[name].perSecond; i++) await requireWithinRate(runtime, name, "one")
  await expect(requireWithinRate(runtime, name, "one")).rejects.toMatchObject({ code: "rate_limited" })
  await requireWithinRate(runtime, name, "other")
})

test("two limits share no window", async () => {
  const runtime = inOneSecond()
  for (const name of NAMES)
    for (let i = 0; i < FIXED_RATES[name].perSecond; i++)
      await expect(requireWithinRate(runtime, name, "one")).resolves.toBeUndefined()
})

test("the page on limits lists each of them", async () => {
  const page = readFileSync(new URL("../../../docs/guide/limits.md", import.meta.url), "utf8")
  expect(page).toContain("{{fixed_rates}}")
  const rows = guideValues(await testRuntime()).fixed_rates?.split("\n")
  expect(rows).toHaveLength(NAMES.length)
  expect(rows).toContain("| `GET /v1/models` and `GET /api/v1/models`, which need no key | 5 per IP address |")
})
