import { expect, test } from "vitest"
import { OneAtATime } from "./payments"

/** Returns a job whose runs the test counts and ends. */
function handWork() {
  const ends: ((error?: Error) => void)[] = []
  const work = () =>
    new Promise<number>((resolve, reject) => {
      const run = ends.length + 1
      ends.push((error) => (error ? reject(error) : resolve(run)))
    })
  return { ends, work }
}

test("callers during a run share the next one, and other keys do not wait", async () => {
  const { ends, work } = handWork()
  const turns = new OneAtATime<number>()
  const first = turns.run("a", work)
  const second = turns.run("a", work)
  const third = turns.run("a", work)
  const other = turns.run("b", work)
  expect(ends).toHaveLength(2)
  ends[0]?.()
  ends[1]?.()
  expect([await first, await other]).toEqual([1, 2])
  await Promise.resolve()
  expect(ends).toHaveLength(3)
  ends[2]?.()
  expect([await second, await third]).toEqual([3, 3])
  const fourth = turns.run("a", work)
  ends[3]?.()
  expect(await fourth).toBe(4)
})

test("a failing run fails for its own callers only", async () => {
  const { ends, work } = handWork()
  const turns = new OneAtATime<number>()
  const first = turns.run("a", work)
  const second = turns.run("a", work)
  ends[0]?.(new Error("away"))
  await expect(first).rejects.toThrow("away")
  await Promise.resolve()
  ends[1]?.()
  expect(await second).toBe(2)
})
