import { expect, test } from "vitest"
import { prepareDays } from "./prepare-days"

test("every day of the range has a bar with the exact sum of its charges", () => {
  const rows = [
    { day: "2026-03-01", costUsd: "0.000000000003" },
    { day: "2026-02-27", costUsd: "1.000000000001" },
    { day: "2026-02-27", costUsd: "1.000000000002" },
    { day: "2026-03-01", costUsd: "1.000000000000" },
  ]
  expect(prepareDays(rows, "2026-02-27", "2026-03-02")).toEqual([
    { day: "2026-02-27", costUsd: "2.000000000003" },
    { day: "2026-02-28", costUsd: "0.000000000000" },
    { day: "2026-03-01", costUsd: "1.000000000003" },
    { day: "2026-03-02", costUsd: "0.000000000000" },
  ])
})
