import { expect, test } from "vitest"
import { stopClock } from "@/test/stop-clock"
import { authorizing } from "./authority"

/** Starts the checks of a caller that was found just now. */
function startChecks() {
  const pass = stopClock()
  const lookUps: number[] = []
  let refusal: Error | null = null
  const authorize = authorizing({ accountId: "a", verifiedAt: performance.now() }, async () => {
    const verifiedAt = performance.now()
    lookUps.push(verifiedAt)
    if (refusal) throw refusal
    return { accountId: "a", verifiedAt }
  })
  const refuse = (error: Error) => {
    refusal = error
  }
  return { pass, lookUps, authorize, refuse }
}

test("a caller is not looked up again for 1.5 s", async () => {
  const { pass, lookUps, authorize } = startChecks()
  expect(authorize()).toBeUndefined()
  pass(1_499)
  expect(authorize()).toBeUndefined()
  pass(1)
  await authorize()
  expect(lookUps).toHaveLength(1)
  pass(1_499)
  expect(authorize()).toBeUndefined()
  pass(1)
  await authorize()
  expect(lookUps).toHaveLength(2)
})

test("concurrent checks share one look-up, and all fail when the authority has ended", async () => {
  const { pass, lookUps, authorize, refuse } = startChecks()
  refuse(new Error("ended"))
  pass(1_500)
  const checks = [authorize(), authorize()]
  for (const check of checks) await expect(check).rejects.toThrow("ended")
  expect(lookUps).toHaveLength(1)
  // A failed check is not remembered as a success.
  await expect(authorize()).rejects.toThrow("ended")
})
