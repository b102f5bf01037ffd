import { execFileSync } from "node:child_process"
import { expect, test } from "vitest"

const FORBID = `void (await import("./lib/shared/zod-without-eval.ts")).forbidEval()`

/** Checks an object with zod in a process of its own, and returns how often code was evaluated for it. */
function evaluations(beforeZod: string, afterZod: string): number {
  const program = `
    ${beforeZod}
    const { z } = await import("zod")
    ${afterZod}
    let count = 0
    globalThis.Function = new Proxy(Function, { construct: (make, given) => (count++, new make(...given)) })
    z.object({ a: z.string() }).safeParse({ a: 1 })
    console.log(count)`
  const options = ["--import", "tsx", "--input-type=module", "-e", program]
  return Number(execFileSync(process.execPath, options, { encoding: "utf8" }))
}

test("zod evaluates no code once that is forbidden, before it is loaded or after", () => {
  expect(evaluations("", "")).toBeGreaterThan(0)
  expect([evaluations(FORBID, ""), evaluations("", FORBID)]).toEqual([0, 0])
})
