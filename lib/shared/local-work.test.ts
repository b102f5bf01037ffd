import { expect, test } from "vitest"
import { nameLocalWork } from "./local-work"

const NONE = { sets: 0, answers: 0, isPaid: false, pastRuns: 0, drafts: 0 }

test("work is named with its counts, and only what there is", () => {
  expect(nameLocalWork(NONE)).toBeNull()
  expect(nameLocalWork({ ...NONE, sets: 3, answers: 4_300, isPaid: true })).toBe("3 sets with 4,300 paid answers")
  expect(nameLocalWork({ sets: 1, answers: 1, isPaid: false, pastRuns: 12, drafts: 1 })).toBe(
    "1 set with 1 answer, 12 past runs, and 1 draft",
  )
  expect(nameLocalWork({ ...NONE, sets: 2, drafts: 2 })).toBe("2 sets and 2 drafts")
})
