import { expect, test } from "vitest"
import { SlotQueue } from "./slot-queue"

const never = new AbortController().signal
const settle = () => new Promise((resolve) => setImmediate(resolve))

function watch(slots: number | null) {
  const queue = new SlotQueue()
  queue.setSlots(slots)
  const starts: [name: string, count: number][] = []
  const ends = new Map<string, () => void>()
  const take = async (name: string, prompts: number[], signal = never) => {
    const { count, end } = await queue.take(prompts, signal)
    starts.push([name, count])
    ends.set(name, end)
  }
  const end = async (name: string) => {
    ends.get(name)?.()
    await settle()
  }
  return { queue, starts, take, end }
}

test("a call starts at once with all its questions while slots are free for all", async () => {
  const { starts, take } = watch(8)
  await take("a", [1, 1, 1, 1])
  await take("b", [2, 2])
  expect(starts).toEqual([
    ["a", 4],
    ["b", 2],
  ])
})

test("a call gets the questions that fit in the free slots, if these are at least half of all", async () => {
  const { starts, take, end } = watch(8)
  await take("single", [1])
  await take("a", [2, 2, 2, 2])
  expect(starts).toEqual([
    ["single", 1],
    ["a", 3],
  ])
  await end("a")
  await take("three", [1, 1, 1])
  await take("b", [1, 1, 1, 1, 1])
  expect(starts.slice(2)).toEqual([
    ["three", 3],
    ["b", 4],
  ])
})

test("calls that do not fit wait in the order of their arrival, and half as many prompts as slots may pass", async () => {
  const { starts, take, end } = watch(4)
  for (const name of ["1", "2", "3"]) await take(name, [1])
  void take("many", [1, 1, 1, 1])
  for (const name of ["4", "5", "6", "7"]) void take(name, [1])
  await settle()
  // One slot was free, so "4" passed. The next that ends makes room for another.
  expect(starts.map(([name]) => name)).toEqual(["1", "2", "3", "4"])
  await end("1")
  expect(starts.map(([name]) => name)).toEqual(["1", "2", "3", "4", "5"])
  await end("2")
  expect(starts).toHaveLength(5)
  await end("3")
  expect(starts.slice(5)).toEqual([
    ["many", 2],
    ["6", 1],
    ["7", 1],
  ])
})

test("single questions go to the engine at once while no call of several waits", async () => {
  const { starts, take, queue } = watch(2)
  for (let i = 0; i < 8; i++) await take(String(i), [1])
  expect(starts).toHaveLength(8)
  expect(queue.used).toBe(8)
})

test("with all slots free, a call keeps questions that the engine reads group by group", async () => {
  const { starts, take, queue } = watch(3)
  await take("a", [2, 2, 2])
  expect(starts).toEqual([["a", 3]])
  expect(queue.used).toBe(3)
})

test("a question that needs more prompts than there are slots waits until all are free", async () => {
  const { starts, take, end } = watch(1)
  await take("single", [1])
  void take("twice", [2])
  await settle()
  expect(starts).toHaveLength(1)
  await end("single")
  expect(starts[1]).toEqual(["twice", 1])
})

test("an aborted call leaves the queue, and those behind it start", async () => {
  const { starts, take, end } = watch(2)
  await take("1", [1])
  await take("2", [1])
  const gone = new AbortController()
  const many = take("many", [1, 1], gone.signal)
  void take("3", [1])
  await settle()
  expect(starts).toHaveLength(2)
  gone.abort(new Error("gone"))
  await expect(many).rejects.toThrow("gone")
  expect(starts.map(([name]) => name)).toEqual(["1", "2", "3"])
  await end("1")
})

test("an engine that reports no slots gets every call at once", async () => {
  const { starts, take } = watch(null)
  for (let i = 0; i < 20; i++) await take(String(i), [1, 1, 1])
  expect(starts).toHaveLength(20)
})

test("while another process makes calls of several prompts, it keeps what it uses, up to an even share", async () => {
  const { queue, starts, take, end } = watch(8)
  queue.setOthers({ used: 4, isWide: true, processes: 1 })
  await take("a", [1, 1, 1, 1, 1])
  expect(starts).toEqual([["a", 4]])
  void take("single", [1])
  await settle()
  expect(starts).toHaveLength(1)
  queue.setOthers({ used: 2, isWide: true, processes: 1 })
  await settle()
  expect(starts[1]).toEqual(["single", 1])
  await end("a")
  queue.setOthers({ used: 8, isWide: false, processes: 2 })
  for (let i = 0; i < 12; i++) await take(String(i), [1])
  expect(starts).toHaveLength(14)
})

test("another process that uses more than its share gets all slots for ten reports, and no longer", async () => {
  const { queue, starts, take } = watch(8)
  for (let report = 0; report < 10; report++) {
    queue.setOthers({ used: 8, isWide: true, processes: 1 })
    if (report === 0) void take("a", [1, 1, 1, 1, 1])
    await settle()
    expect(starts).toEqual([])
    expect(queue.takeUse()).toMatchObject({ used: 4 })
  }
  queue.setOthers({ used: 8, isWide: true, processes: 1 })
  await settle()
  expect(starts).toEqual([["a", 4]])
})

test("a question with more prompts than this process's share starts when that is free", async () => {
  const { queue, starts, take } = watch(2)
  queue.setOthers({ used: 1, isWide: true, processes: 1 })
  await take("twice", [2, 2])
  expect(starts).toEqual([["twice", 1]])
})

test("reports the most slots used since the last report, and nothing without use", async () => {
  const { queue, take, end } = watch(4)
  expect(queue.takeUse()).toBeNull()
  await take("a", [1, 1, 1])
  await end("a")
  expect(queue.takeUse()).toEqual({ used: 3, isWide: true })
  await take("b", [1])
  expect(queue.takeUse()).toEqual({ used: 1, isWide: false })
  expect(queue.takeUse()).toEqual({ used: 1, isWide: false })
  await end("b")
  queue.takeUse()
  expect(queue.takeUse()).toBeNull()
})
