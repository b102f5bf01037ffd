import { DatabaseError } from "pg"
import { expect, it } from "vitest"
import { Coalescer } from "./coalescer"

/** Statements that end when told, and what was asked of each. */
function statements() {
  const asked: number[][] = []
  const ends: { resolve(): void; reject(error: unknown): void }[] = []
  const wait = <Result>(items: number[], result: Result) =>
    new Promise<Result>((resolve, reject) => {
      asked.push(items)
      ends.push({ resolve: () => resolve(result), reject })
    })
  const calls = new Coalescer<number, string>({
    one: (item) => wait([item], `alone ${item}`),
    many: (items) =>
      wait(
        items,
        items.map((item) => `together ${item}`),
      ),
  })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  return { calls, asked, ends, turn }
}

it("sends one at once, and what comes meanwhile together when it ends, each with its own answer", async () => {
  const { calls, asked, ends, turn } = statements()
  const answers = [1, 2, 3].map((item) => calls.ask(item))
  expect(asked).toEqual([[1]])
  ends[0]?.resolve()
  await turn()
  expect(asked).toEqual([[1], [2, 3]])
  ends[1]?.resolve()
  expect(await Promise.all(answers)).toEqual(["alone 1", "together 2", "together 3"])
})

it("sends 32 together at most, four statements at once, and does not let others wait for one that is slow", async () => {
  const { calls, asked, turn } = statements()
  for (let item = 0; item < 200; item++) void calls.ask(item)
  expect(asked.map(({ length }) => length)).toEqual([1, 32, 32, 32])
  await turn()
  const slow = statements()
  void slow.calls.ask(1)
  const until = performance.now() + 25
  while (performance.now() < until);
  void slow.calls.ask(2)
  expect(slow.asked).toEqual([[1], [2]])
})

it("does not let the only one that waits stay behind a slow statement, though nobody comes after it", async () => {
  const { calls, asked } = statements()
  void calls.ask(1)
  void calls.ask(2)
  expect(asked).toEqual([[1]])
  await expect.poll(() => asked, { interval: 5 }).toEqual([[1], [2]])
})

it("asks one by one what was refused together, so that one bad item fails alone", async () => {
  const { calls, asked, ends, turn } = statements()
  const answers = [1, 2, 3].map((item) => calls.ask(item).catch(() => "failed"))
  ends[0]?.resolve()
  await turn()
  ends[1]?.reject(Object.assign(new DatabaseError("out of range", 1, "error"), { code: "22003" }))
  await turn()
  expect(asked).toEqual([[1], [2, 3], [2], [3]])
  ends[2]?.reject(new Error("out of range"))
  ends[3]?.resolve()
  expect(await Promise.all(answers)).toEqual(["alone 1", "failed", "alone 3"])
})

it("fails all together when the connection breaks, since nobody knows what was done", async () => {
  const { calls, asked, ends, turn } = statements()
  const answers = [1, 2, 3].map((item) => calls.ask(item).catch((error: Error) => error.message))
  ends[0]?.resolve()
  await turn()
  ends[1]?.reject(new Error("connection terminated"))
  expect(await Promise.all(answers)).toEqual(["alone 1", "connection terminated", "connection terminated"])
  expect(asked).toHaveLength(2)
})
