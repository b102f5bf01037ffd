import { expect, test } from "vitest"
import { oneAtATime } from "./chat-model"

test("the prompts of a request never share the sequence at the same time, even after one that failed", async () => {
  const run = oneAtATime()
  const steps: string[] = []
  const read = async (name: string, failure?: Error) => {
    steps.push(`${name} begins`)
    await new Promise((resolve) => setImmediate(resolve))
    steps.push(`${name} ends`)
    if (failure) throw failure
    return name
  }
  const reads = [run(() => read("a")), run(() => read("b", new Error("gone"))), run(() => read("c"))]
  expect((await Promise.allSettled(reads)).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"])
  expect(steps).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"])
})
