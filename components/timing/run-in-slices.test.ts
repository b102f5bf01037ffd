import { expect, test } from "vitest"
import { runInSlices } from "./run-in-slices"

/** Blocks for 5 ms in each step. */
function* steps(count: number, onStep = () => {}): Generator<undefined, string> {
  for (let step = 0; step < count; step++) {
    const until = performance.now() + 5
    while (performance.now() < until);
    onStep()
    yield undefined
  }
  return "found"
}

test("a long computation lets other work run between its steps", async () => {
  let others = 0
  const timer = setInterval(() => others++)
  expect(await runInSlices(steps(10), new AbortController().signal)).toBe("found")
  clearInterval(timer)
  expect(others).toBeGreaterThan(0)
})

test("a computation that is aborted ends without a result", async () => {
  const controller = new AbortController()
  let done = 0
  const running = runInSlices(
    steps(100, () => {
      if (++done === 3) controller.abort()
    }),
    controller.signal,
  )
  expect(await running).toBeUndefined()
  expect(done).toBeLessThan(100)
})
