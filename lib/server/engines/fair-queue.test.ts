import { expect, test } from "vitest"
import { FairQueue, type Priority } from "./fair-queue"

const never = new AbortController().signal
const settle = () => new Promise((resolve) => setImmediate(resolve))

function watch(queue: FairQueue) {
  const entered: string[] = []
  const leave = new Map<string, () => void>()
  const enter = (account: string, name: string, priority?: Priority) =>
    queue.enter(account, never, priority).then((done) => {
      entered.push(name)
      leave.set(name, done)
    })
  return { entered, enter, leave: (name: string) => leave.get(name)?.() }
}

test("at most the limit runs at once", async () => {
  const { entered, enter, leave } = watch(new FairQueue(2))
  for (const name of ["a1", "a2", "a3"]) void enter("a", name)
  await settle()
  expect(entered).toEqual(["a1", "a2"])
  leave("a1")
  await settle()
  expect(entered).toEqual(["a1", "a2", "a3"])
})

test("leaving twice frees only one place", async () => {
  const { entered, enter, leave } = watch(new FairQueue(1))
  for (const name of ["a1", "a2", "a3"]) void enter("a", name)
  await settle()
  leave("a1")
  leave("a1")
  await settle()
  expect(entered).toEqual(["a1", "a2"])
})

test("waiting accounts take turns, however many requests each has", async () => {
  const { entered, enter, leave } = watch(new FairQueue(1))
  for (const name of ["a1", "a2", "a3", "a4"]) void enter("a", name)
  for (const name of ["b1", "b2"]) void enter("b", name)
  void enter("c", "c1")
  await settle()
  for (let i = 0; i < 6; i++) {
    leave(entered.at(-1) ?? "")
    await settle()
  }
  expect(entered).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"])
})

test("a full queue refuses with capacity_exceeded and Retry-After 1 until a place is free", async () => {
  const queue = new FairQueue(1, 2)
  const { enter, leave } = watch(queue)
  for (const name of ["a1", "a2", "a3"]) void enter("a", name)
  await settle()
  await expect(queue.enter("a", never)).rejects.toMatchObject({ code: "capacity_exceeded", retryAfterSeconds: 1 })
  leave("a1")
  await settle()
  const waiting = watch(queue)
  void waiting.enter("b", "b1")
  for (const name of ["a2", "a3"]) {
    leave(name)
    await settle()
  }
  expect(waiting.entered).toEqual(["b1"])
})

test("a new account in a full queue replaces the latest requests of the account with the most", async () => {
  const queue = new FairQueue(1, 6)
  const { entered, enter, leave } = watch(queue)
  const all = ["a1", "a2", "a3", "a4", "a5", "a6", "a7"].map((name) => enter("a", name))
  const lost = Promise.allSettled(all.slice(4))
  for (const name of ["b1", "b2", "b3"]) void enter("b", name)
  expect((await lost).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"])
  // Both accounts have three requests. Neither may replace a request of the other, so a fourth of either is refused.
  const refused = { code: "capacity_exceeded", retryAfterSeconds: 1 }
  await expect(queue.enter("b", never)).rejects.toMatchObject(refused)
  await expect(queue.enter("a", never)).rejects.toMatchObject(refused)
  for (let i = 0; i < 6; i++) {
    leave(entered.at(-1) ?? "")
    await settle()
  }
  expect(entered).toEqual(["a1", "a2", "b1", "a3", "b2", "a4", "b3"])
})

test("an extra place is taken only while one is free, and goes to a waiting request when freed", async () => {
  const queue = new FairQueue(2)
  const { entered, enter, leave } = watch(queue)
  void enter("a", "a1")
  await settle()
  const giveBack = queue.tryEnter()
  expect(queue.tryEnter()).toBeNull()
  void enter("b", "b1")
  await settle()
  expect(entered).toEqual(["a1"])
  giveBack?.()
  giveBack?.()
  await settle()
  expect(entered).toEqual(["a1", "b1"])
  leave("a1")
  expect(queue.tryEnter()).not.toBeNull()
})

test("an aborted waiting request rejects with its reason and the next one takes its place", async () => {
  const queue = new FairQueue(1)
  const { entered, enter, leave } = watch(queue)
  void enter("a", "a1")
  await settle()
  const abort = new AbortController()
  const aborted = queue.enter("a", abort.signal)
  void enter("b", "b1")
  abort.abort(new Error("gone"))
  await expect(aborted).rejects.toThrow("gone")
  leave("a1")
  await settle()
  expect(entered).toEqual(["a1", "b1"])
})

test("a timeout in the queue is upstream_timeout", async () => {
  const queue = new FairQueue(0)
  await expect(queue.enter("a", AbortSignal.timeout(5))).rejects.toMatchObject({ code: "upstream_timeout" })
  await expect(queue.enter("a", AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone")
})

test("a higher limit admits waiting requests", async () => {
  const queue = new FairQueue(1)
  const { entered, enter } = watch(queue)
  for (const name of ["a1", "a2", "a3"]) void enter("a", name)
  queue.setLimit(3)
  await settle()
  expect(entered).toEqual(["a1", "a2", "a3"])
})

test("clear refuses all waiting requests", async () => {
  const queue = new FairQueue(0)
  const waiting = queue.enter("a", never)
  queue.clear(new Error("closed"))
  await expect(waiting).rejects.toThrow("closed")
})

test("background requests start after all normal ones, later ones included", async () => {
  const { entered, enter, leave } = watch(new FairQueue(1))
  void enter("a", "a1")
  for (const name of ["row1", "row2"]) void enter("b", name, "background")
  for (const name of ["a2", "a3"]) void enter("a", name)
  await settle()
  for (let i = 0; i < 4; i++) {
    leave(entered.at(-1) ?? "")
    await settle()
  }
  expect(entered).toEqual(["a1", "a2", "a3", "row1", "row2"])
})

test("background requests take an eighth of the places beside normal ones, and half after five quiet seconds", async () => {
  let now = 0
  const queue = new FairQueue(16, 256, () => now)
  const { entered, enter, leave } = watch(queue)
  void enter("a", "a1")
  for (let i = 1; i <= 10; i++) void enter("b", `row${i}`, "background")
  await settle()
  expect(entered).toEqual(["a1", "row1", "row2"])
  expect(queue.tryEnter("background")).toBeNull()
  leave("a1")
  now = 5_000
  leave("row1")
  await settle()
  expect(entered).toEqual(["a1", "row1", "row2", "row3", "row4", "row5", "row6", "row7", "row8", "row9"])
  void enter("a", "a2")
  leave("row2")
  await settle()
  expect(entered.slice(10)).toEqual(["a2"])
})

test("background requests have one place at an engine that takes one request", async () => {
  const { entered, enter } = watch(new FairQueue(1))
  for (const name of ["row1", "row2"]) void enter("b", name, "background")
  await settle()
  expect(entered).toEqual(["row1"])
})

test("in a full queue, normal requests replace background ones, which never replace them", async () => {
  const queue = new FairQueue(1, 3)
  const { entered, enter, leave } = watch(queue)
  void enter("a", "a1")
  const rows = [1, 2].map(() => queue.enter("b", never, "background"))
  for (const row of rows) row.catch(() => undefined)
  for (const name of ["a2", "a3"]) void enter("a", name)
  await settle()
  await expect(rows[1]).rejects.toMatchObject({ code: "capacity_exceeded", retryAfterSeconds: 1 })
  await expect(queue.enter("c", never, "background")).rejects.toMatchObject({ code: "capacity_exceeded" })
  void enter("a", "a4")
  await expect(rows[0]).rejects.toMatchObject({ code: "capacity_exceeded" })
  for (const name of ["a1", "a2", "a3"]) {
    leave(name)
    await settle()
  }
  expect(entered).toEqual(["a1", "a2", "a3", "a4"])
})
