import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { BodyBudget } from "./body-budget"

const MIB = 1024 * 1024
const forever = new AbortController().signal

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** Enters a body of an account. `state` is "waits", "arrives" or "slow". */
function enter(budget: BodyBudget, accountId: string, bytes: number) {
  const reservation = budget.reservation()
  reservation.setAccount(accountId)
  const body = { reservation, state: "waits" }
  const onSlow = () => {
    body.state = "slow"
  }
  void reservation.reserve(bytes, forever, onSlow).then(() => {
    body.state = "arrives"
  })
  return body
}

test("a body that stops for 5 s gives its memory to one that waits, and not before", async () => {
  const budget = new BodyBudget(10 * MIB)
  const silent = enter(budget, "a", 8 * MIB)
  await pass(1_000)
  const next = enter(budget, "b", 8 * MIB)
  await pass(3_990)
  expect([silent.state, next.state]).toEqual(["arrives", "waits"])
  await pass(20)
  expect([silent.state, next.state, budget.used]).toEqual(["slow", "arrives", 8 * MIB])
  silent.reservation.release()
  expect(budget.used).toBe(8 * MIB)
})

test("a body that has stopped for long is given up as soon as another waits", async () => {
  const budget = new BodyBudget(10 * MIB)
  const silent = enter(budget, "a", 8 * MIB)
  await pass(60_000)
  expect(silent.state).toBe("arrives")
  const next = enter(budget, "b", 8 * MIB)
  await pass(1)
  expect([silent.state, next.state]).toEqual(["slow", "arrives"])
})

test("only as many slow bodies are given up as are needed, the oldest first", async () => {
  const budget = new BodyBudget(10 * MIB)
  const silent = ["a", "b", "c"].map((account) => enter(budget, account, 3 * MIB))
  await pass(60_000)
  const next = enter(budget, "d", 3 * MIB)
  await pass(1)
  expect([...silent, next].map(({ state }) => state)).toEqual(["slow", "arrives", "arrives", "arrives"])
})

// 9 MiB in 90 s are 0.1 MiB a second.
test.each([
  ["keeps", 0.11 * MIB, "arrives"],
  ["loses", 0.05 * MIB, "slow"],
])("a body %s its memory while it arrives at %d bytes a second", async (_outcome, bytes, state) => {
  const budget = new BodyBudget(10 * MIB)
  const steady = enter(budget, "a", 9 * MIB)
  enter(budget, "b", 9 * MIB)
  for (let second = 0; second < 60; second++) {
    await pass(1_000)
    steady.reservation.received(bytes)
  }
  expect(steady.state).toBe(state)
})

test("what arrived fast at first does not pay for a later stop", async () => {
  const budget = new BodyBudget(10 * MIB)
  const silent = enter(budget, "a", 9 * MIB)
  await pass(1)
  silent.reservation.received(8 * MIB)
  enter(budget, "b", 9 * MIB)
  await pass(5_001)
  expect(silent.state).toBe("slow")
})

test("a complete body keeps its memory until it is released", async () => {
  const budget = new BodyBudget(10 * MIB)
  const whole = enter(budget, "a", 9 * MIB)
  await pass(1)
  whole.reservation.complete()
  const next = enter(budget, "b", 9 * MIB)
  await pass(120_000)
  expect([whole.state, next.state]).toEqual(["arrives", "waits"])
  whole.reservation.release()
  await pass(1)
  expect(next.state).toBe("arrives")
})

test("an account that waits for its own share ends nobody's body", async () => {
  const budget = new BodyBudget(10 * MIB)
  const silent = enter(budget, "a", 2 * MIB)
  await pass(1)
  enter(budget, "b", 4 * MIB).reservation.complete()
  const second = enter(budget, "b", 4 * MIB)
  await pass(60_000)
  expect([silent.state, second.state]).toEqual(["arrives", "waits"])
})
