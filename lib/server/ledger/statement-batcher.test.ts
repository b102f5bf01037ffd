import { DatabaseError } from "pg"
import { beforeEach, expect, it, vi } from "vitest"
import { StatementBatcher } from "./statement-batcher"

// The clock is frozen, so that a busy machine makes no statement slow.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] })
  return () => vi.useRealTimers()
})

const tick = async () => {
  // The end of a statement starts the next one only in the tick after.
  for (let i = 0; i < 2; i++) await new Promise((resolve) => setImmediate(resolve))
}

/** A batcher whose statements end on demand, with the items of each. */
function statements() {
  const asked: number[][] = []
  const ends: { resolve(): void; reject(error: unknown): void }[] = []
  const calls = new StatementBatcher<number, string>(
    (items) =>
      new Promise((resolve, reject) => {
        asked.push(items)
        ends.push({ resolve: () => resolve(items.map((item) => `${item} of ${items.length}`)), reject })
      }),
  )
  return { calls, asked, ends }
}

it("sends the items of one tick of the event loop together, each with its own result", async () => {
  const { calls, asked, ends } = statements()
  const answers = [1, 2, 3].map((item) => calls.submit(item))
  expect(asked).toEqual([])
  await tick()
  expect(asked).toEqual([[1, 2, 3]])
  ends[0]?.resolve()
  expect(await Promise.all(answers)).toEqual(["1 of 3", "2 of 3", "3 of 3"])
})

it("sends a lone item at once, and those that come meanwhile together when it ends", async () => {
  const { calls, asked, ends } = statements()
  const answers = [calls.submit(1)]
  await tick()
  expect(asked).toEqual([[1]])
  answers.push(calls.submit(2))
  await tick()
  answers.push(calls.submit(3))
  await tick()
  expect(asked).toEqual([[1]])
  ends[0]?.resolve()
  await tick()
  expect(asked).toEqual([[1], [2, 3]])
  ends[1]?.resolve()
  expect(await Promise.all(answers)).toEqual(["1 of 1", "2 of 2", "3 of 2"])
})

it("sends at most 32 items together and four statements at once, and does not wait for a slow one", async () => {
  const { calls, asked } = statements()
  for (let item = 0; item < 200; item++) void calls.submit(item)
  await tick()
  expect(asked.map(({ length }) => length)).toEqual([32, 32, 32, 32])
  const slow = statements()
  void slow.calls.submit(1)
  await tick()
  vi.advanceTimersByTime(21)
  void slow.calls.submit(2)
  await tick()
  expect(slow.asked).toEqual([[1], [2]])
})

it("sends a lone item past a slow statement even if no item follows", async () => {
  const { calls, asked } = statements()
  void calls.submit(1)
  await tick()
  void calls.submit(2)
  await tick()
  vi.advanceTimersByTime(20)
  expect(asked).toEqual([[1]])
  vi.advanceTimersByTime(1)
  expect(asked).toEqual([[1], [2]])
})

it("retries the items of a refused batch one by one, so that only the bad one fails", async () => {
  const { calls, asked, ends } = statements()
  const answers = [1, 2].map((item) => calls.submit(item).catch(() => "failed"))
  await tick()
  ends[0]?.reject(Object.assign(new DatabaseError("out of range", 1, "error"), { code: "22003" }))
  await tick()
  expect(asked).toEqual([[1, 2], [1], [2]])
  ends[1]?.reject(new Error("out of range"))
  ends[2]?.resolve()
  expect(await Promise.all(answers)).toEqual(["failed", "2 of 1"])
})

it("fails the whole batch when the connection breaks, because its effect is unknown", async () => {
  const { calls, asked, ends } = statements()
  const answers = [1, 2].map((item) => calls.submit(item).catch((error: Error) => error.message))
  await tick()
  ends[0]?.reject(new Error("connection terminated"))
  expect(await Promise.all(answers)).toEqual(["connection terminated", "connection terminated"])
  expect(asked).toEqual([[1, 2]])
})

/** A batcher whose items are grouped by their first letter. */
function groupedStatements() {
  const asked: string[][] = []
  const ends: (() => void)[] = []
  const calls = new StatementBatcher<string, string>(
    (items) =>
      new Promise((resolve) => {
        asked.push(items)
        ends.push(() => resolve(items))
      }),
    (item) => item[0] ?? "",
  )
  return { calls, asked, ends }
}

it("keeps a statement free of a group that fills all the others at once", async () => {
  const { calls, asked, ends } = groupedStatements()
  for (let item = 0; item < 128; item++) void calls.submit(`a${item}`)
  await tick()
  expect(asked.map(({ length }) => length)).toEqual([32, 32, 32])
  vi.advanceTimersByTime(25)
  void calls.submit("b1")
  await tick()
  expect(asked[3]).toEqual(["b1"])
  for (const end of ends) end()
  vi.advanceTimersByTime(25)
  await tick()
  expect(asked[4]).toEqual(Array.from({ length: 32 }, (_, at) => `a${96 + at}`))
})

it("lets other groups pass while one group's statements are stuck", async () => {
  const { calls, asked, ends } = groupedStatements()
  const becomeSlow = () => vi.advanceTimersByTime(25)
  for (const item of ["a1", "b1"]) void calls.submit(item)
  await tick()
  becomeSlow()
  // Both groups may be stuck, so each goes alone, after a group that is not.
  for (const item of ["a2", "b2", "c1"]) void calls.submit(item)
  await tick()
  becomeSlow()
  void calls.submit("a3")
  await tick()
  becomeSlow()
  void calls.submit("a4")
  void calls.submit("d1")
  await tick()
  expect(asked).toEqual([["a1", "b1"], ["c1"], ["a2"], ["d1"]])
  ends[1]?.()
  ends[3]?.()
  becomeSlow()
  await tick()
  expect(asked[4]).toEqual(["b2"])
})
