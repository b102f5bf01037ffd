import { Clients } from "./support/clients"
import { Service } from "./support/service"
import { expect, test } from "./support/test"

/** Leaves the processor to the console, so that it starts again sooner. */
const PAUSE_MS = 100
const EMAIL = "console-process@example.com"

let service: Service
test.beforeAll(async () => {
  service = await Service.start({ LOG_LEVEL: "error" })
})
test.afterAll(() => service.destroy())

const statusOf = async (path: string) => (await fetch(service.url + path)).status
const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test("the API answers every request while the console's process dies, and pages return", async () => {
  const { key } = await service.createAccountWithKey(EMAIL)
  const load = new Clients(service, key, { pauseMs: PAUSE_MS })
  await load.goOn(50)
  const pid = await service.consolePid()
  process.kill(pid, "SIGKILL")
  await expect.poll(() => statusOf("/sign-in")).toBe(503)
  expect(await statusOf("/readyz")).toBe(200)
  await load.goOn(50)
  await expect.poll(() => statusOf("/sign-in"), { timeout: 120_000 }).toBe(200)
  const outcomes = await load.stop()
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await service.consolePid()).not.toBe(pid)
  expect(service.printed).toContain('"event":"console.ended"')
})

test("the console's process ends with a server that stops, and with one that is killed", async () => {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (signal === "SIGKILL") await service.resume()
    expect(await statusOf("/sign-in")).toBe(200)
    const pid = await service.consolePid()
    await service.end(signal)
    await expect.poll(() => isRunning(pid)).toBe(false)
  }
})
