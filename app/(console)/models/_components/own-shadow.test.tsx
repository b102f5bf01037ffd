import { renderToStaticMarkup } from "react-dom/server"
import { expect, test } from "vitest"
import type { ShadowSummary } from "@/lib/shared/shadows/shadow-report"
import { OwnShadow } from "./own-shadow"

const SHADOW: ShadowSummary = {
  ...{ alias: "svc-decider-latest", from: "first-1", to: "next-1", share: 0.05 },
  ...{ startedAt: "2026-12-01T00:00:00.000Z", until: null, endedAt: null },
  ...{ answered: 512, failed: 3, tokens: 9_000, servedMs: 40, candidateMs: 55 },
  questions: [
    {
      ...{ type: "noul", options: 2, compared: 1_000, changed: 21 },
      ...{ interval: { low: 0.0138, high: 0.0319 }, meanDistance: 0.0312 },
    },
  ],
}
const textOf = (shadow: ShadowSummary, takesPart: boolean) =>
  renderToStaticMarkup(<OwnShadow shadow={shadow} takesPart={takesPart} />).replaceAll(/<[^>]+>/g, "")

test("states what is asked of a new model, and how the account's answers would change", () => {
  const text = textOf(SHADOW, true)
  expect(text).toContain(
    "5% of your answered requests to svc-decider-latest are also asked of next-1, after the answer.",
  )
  expect(text).toContain("It answered 512 requests of yours, and 3 failed.")
  expect(text).toContain("2.1%")
  expect(text).toContain("1.38% to 3.19%")
})

test("states that an account which refuses takes no part", () => {
  const text = textOf({ ...SHADOW, answered: 0, failed: 0, questions: [] }, false)
  expect(text).toContain("Your account takes no part in it.")
  expect(text).not.toContain("are also asked of")
})

test("states that a comparison has ended", () => {
  expect(textOf({ ...SHADOW, endedAt: "2026-12-08T00:00:00.000Z" }, true)).toContain(
    "The comparison with next-1 has ended.",
  )
})
