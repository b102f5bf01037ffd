import { expect, it } from "vitest"
import { memoryWindows, windowState } from "./windows"

const perSecond = { key: 2, account: 3 }
const actor = (keyId: string) => ({ accountId: "a", keyId })

it("refuses a key above its own limit within one clock second and admits it in the next", async () => {
  let now = 1_000
  const windows = memoryWindows(() => now)
  const exceeded = async () => (await windows.count(actor("k"), perSecond)).exceeded
  expect([await exceeded(), await exceeded(), await exceeded()]).toEqual([false, false, true])
  now = 1_999
  expect(await exceeded()).toBe(true)
  now = 2_000
  expect(await exceeded()).toBe(false)
})

it("shares the account's limit among its keys", async () => {
  const windows = memoryWindows(() => 0)
  for (const key of ["k1", "k2", "k3"]) expect((await windows.count(actor(key), perSecond)).exceeded).toBe(false)
  expect((await windows.count(actor("k4"), perSecond)).exceeded).toBe(true)
})

it("does not count a key's own refusals against the account", async () => {
  const windows = memoryWindows(() => 0)
  for (let i = 0; i < 10; i++) await windows.count(actor("greedy"), perSecond)
  expect((await windows.count(actor("modest"), perSecond)).exceeded).toBe(false)
})

it("shows the tighter of key and account, and the key on a tie", () => {
  expect(windowState(1, 3, { key: 10, account: 5 })).toMatchObject({ limit: 5, used: 3, remaining: 2 })
  expect(windowState(1, 1, { key: 4, account: 4 })).toMatchObject({ limit: 4, used: 1, remaining: 3 })
  expect(windowState(12, 12, { key: 10, account: 20 })).toMatchObject({
    limit: 10,
    used: 12,
    remaining: 0,
    resetSeconds: 1,
    exceeded: true,
  })
})
