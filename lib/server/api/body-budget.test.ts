import { describe, expect, it } from "vitest"
import { BodyBudget, bodyBudgetOf, FREE_BODY_BYTES } from "./body-budget"

const MIB = 1024 * 1024
const forever = new AbortController().signal

/** Reserves `bytes` and adds `name` to `order` once it has them. */
function enter(budget: BodyBudget, order: string[], name: string, bytes: number, signal = forever) {
  const reservation = budget.reservation()
  const entered = reservation.reserve(bytes, signal).then(() => void order.push(name))
  return { reservation, entered }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe("the budget for bodies", () => {
  it("admits bodies that fit and lets the rest wait in order of arrival", async () => {
    const budget = new BodyBudget(10 * MIB)
    const order: string[] = []
    const first = enter(budget, order, "first", 6 * MIB)
    const large = enter(budget, order, "large", 8 * MIB)
    const small = enter(budget, order, "small", MIB)
    await settled()
    expect([order, budget.used, budget.waiting]).toEqual([["first"], 6 * MIB, 2])
    first.reservation.release()
    await settled()
    expect([order, budget.used, budget.waiting]).toEqual([["first", "large", "small"], 9 * MIB, 0])
    large.reservation.release()
    small.reservation.release()
    expect(budget.used).toBe(0)
  })

  it("is used to the last byte and not beyond", async () => {
    const budget = new BodyBudget(2 * MIB)
    const order: string[] = []
    enter(budget, order, "half", MIB)
    enter(budget, order, "other half", MIB)
    const over = enter(budget, order, "over", FREE_BODY_BYTES + 1)
    await settled()
    expect([order, budget.used, budget.waiting]).toEqual([["half", "other half"], 2 * MIB, 1])
    over.entered.catch(() => {})
  })

  it("does not count a body of 64 KiB, even when it is full", async () => {
    const budget = new BodyBudget(MIB)
    const order: string[] = []
    await enter(budget, order, "all", MIB).entered
    await enter(budget, order, "free", 65_536).entered
    expect([order, budget.used]).toEqual([["all", "free"], MIB])
  })

  it("admits those behind a waiter that leaves, which takes nothing", async () => {
    const budget = new BodyBudget(10 * MIB)
    const order: string[] = []
    const gone = new AbortController()
    const first = enter(budget, order, "first", 5 * MIB)
    const leaver = enter(budget, order, "leaver", 10 * MIB, gone.signal)
    enter(budget, order, "last", 5 * MIB)
    gone.abort(new Error("left"))
    await expect(leaver.entered).rejects.toThrow("left")
    await settled()
    expect([order, budget.used, budget.waiting]).toEqual([["first", "last"], 10 * MIB, 0])
    leaver.reservation.release()
    expect(budget.used).toBe(10 * MIB)
    first.reservation.release()
    expect(budget.used).toBe(5 * MIB)
  })

  it("reserves nothing for a client that left before", async () => {
    const budget = new BodyBudget(MIB)
    const { entered } = enter(budget, [], "gone", MIB, AbortSignal.abort(new Error("left")))
    await expect(entered).rejects.toThrow("left")
    expect([budget.used, budget.waiting]).toEqual([0, 0])
  })

  it("releases a reservation once, even when called twice", async () => {
    const budget = new BodyBudget(2 * MIB)
    const { reservation, entered } = enter(budget, [], "one", MIB)
    await entered
    await enter(budget, [], "other", MIB).entered
    reservation.release()
    reservation.release()
    expect(budget.used).toBe(MIB)
  })

  it("releases what a body did not need, all of it up to 64 KiB", async () => {
    const budget = new BodyBudget(10 * MIB)
    const { reservation, entered } = enter(budget, [], "one", 10 * MIB)
    await entered
    reservation.shrinkTo(3 * MIB)
    expect(budget.used).toBe(3 * MIB)
    reservation.shrinkTo(5 * MIB)
    expect(budget.used).toBe(3 * MIB)
    reservation.shrinkTo(FREE_BODY_BYTES)
    expect(budget.used).toBe(0)
    reservation.release()
    expect(budget.used).toBe(0)
  })

  it("rejects a body that can never fit", async () => {
    await expect(new BodyBudget(MIB).reservation().reserve(2 * MIB, forever)).rejects.toThrow(RangeError)
  })

  it("is empty after 2,000 bodies that waited, left and ended", async () => {
    const budget = new BodyBudget(3 * MIB)
    let most = 0
    const one = async (i: number) => {
      const reservation = budget.reservation()
      const leave = new AbortController()
      const taken = reservation.reserve(MIB / 2 + (i % 7) * 300_000, leave.signal)
      if (i % 3 === 0) setImmediate(() => leave.abort(new Error("left")))
      await taken.catch(() => {})
      most = Math.max(most, budget.used)
      if (i % 2) await settled()
      reservation.release()
    }
    await Promise.all(Array.from({ length: 2_000 }, (_, i) => one(i)))
    expect([budget.used, budget.waiting]).toEqual([0, 0])
    expect(most).toBeGreaterThan(2 * MIB)
    expect(most).toBeLessThanOrEqual(3 * MIB)
  })
})

describe("an account", () => {
  const enterAs = (budget: BodyBudget, order: string[], accountId: string, bytes: number) => {
    const reservation = budget.reservation()
    reservation.setAccount(accountId)
    void reservation.reserve(bytes, forever).then(() => void order.push(accountId))
    return reservation
  }

  it("gets one body, and more only while its sum is at most half of what is free", async () => {
    const budget = new BodyBudget(8 * MIB)
    const order: string[] = []
    const [slow] = [1, 2, 3].map(() => enterAs(budget, order, "a", 2 * MIB))
    enterAs(budget, order, "b", 3 * MIB)
    await settled()
    expect([order, budget.waiting]).toEqual([["a", "b"], 2])
    slow?.release()
    await settled()
    expect([order, budget.waiting]).toEqual([["a", "b", "a"], 1])
  })

  it("cannot fill the budget together with another one", async () => {
    const budget = new BodyBudget(256 * MIB)
    const order: string[] = []
    for (const accountId of ["a", "b"]) for (let i = 0; i < 10; i++) enterAs(budget, order, accountId, 28 * MIB)
    for (const accountId of ["c", "d", "e", "f"]) enterAs(budget, order, accountId, 28 * MIB)
    await settled()
    expect(order.toSorted().join("")).toBe("aaabbcdef")
  })

  it("of one of many processes has room for the largest bodies of two accounts", async () => {
    const budget = new BodyBudget(bodyBudgetOf(64))
    const order: string[] = []
    for (const accountId of ["slow", "slow", "other"]) enterAs(budget, order, accountId, 28 * MIB)
    await settled()
    expect(order).toEqual(["slow", "other"])
  })
})
