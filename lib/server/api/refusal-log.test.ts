import type { IncomingMessage } from "node:http"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import type { LogFields } from "@/lib/server/platform/log"
import type { Runtime } from "@/lib/server/platform/runtime"
import { RefusalLog } from "./refusal-log"

const lines: LogFields[] = []
const runtime = {
  env: { TRUSTED_PROXY_HOPS: 0, AUTH_SECRET: "a-secret-for-tests-of-32-characters" },
  log: { warn: (_message: string, fields: LogFields) => void lines.push(fields) },
} as unknown as Runtime
const from = (remoteAddress?: string) => ({ headers: {}, socket: { remoteAddress } }) as IncomingMessage

beforeEach(() => {
  lines.length = 0
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const refuse = (log: RefusalLog, count: number, address?: string) =>
  Array.from({ length: count }, () => log.count(runtime, from(address))).filter(Boolean).length

test("ten refusals of a client have lines of their own in a minute, and its end reports the others", () => {
  const log = new RefusalLog()
  expect([refuse(log, 12, "2001:db8::1"), refuse(log, 8, "2001:db8::2"), refuse(log, 3, "192.0.2.1")]).toEqual([
    10, 0, 3,
  ])
  vi.advanceTimersByTime(59_999)
  expect(lines).toEqual([])
  vi.advanceTimersByTime(1)
  expect(lines).toMatchObject([{ event: "credentials.refused", count: 10, clientHash: expect.any(String) }])
  expect(refuse(log, 11, "2001:db8::1")).toBe(10)
})

test("a client that has left is counted with the others whose address is unknown", () => {
  const log = new RefusalLog()
  expect(refuse(log, 11)).toBe(10)
  log.flush(runtime)
  expect(lines).toEqual([{ event: "credentials.refused", status: 401, count: 1 }])
})

test("an attacker with many addresses uses a bounded memory", () => {
  const log = new RefusalLog()
  for (let i = 0; i < 10_000; i++) log.count(runtime, from(`10.1.${i >> 8}.${i & 255}`))
  expect([refuse(log, 12, "192.0.2.1"), refuse(log, 12, "192.0.2.2"), refuse(log, 12, "10.1.0.1")]).toEqual([10, 0, 9])
  log.flush(runtime)
  expect(lines.map(({ count }) => count)).toEqual([3, 14])
})
