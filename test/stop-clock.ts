import { onTestFinished, vi } from "vitest"

/** Stops the clock that measures durations until the test ends. Timers go on. Returns a function that advances it by ms. */
export function stopClock(): (ms: number) => void {
  let at = performance.now()
  const now = vi.spyOn(performance, "now").mockImplementation(() => at)
  onTestFinished(() => now.mockRestore())
  return (ms) => {
    at += ms
  }
}
