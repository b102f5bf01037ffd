import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { addressBlock } from "@/lib/server/platform/client-address"
import type { LogFields } from "@/lib/server/platform/log"
import type { Runtime } from "@/lib/server/platform/runtime"
import { RefusalLog, UNKNOWN_CLIENT } from "./refusal-log"

const lines: LogFields[] = []
const runtime = {
  env: { AUTH_SECRET: "a-secret-for-tests-of-32-characters" },
  log: { warn: (_message: string, fields: LogFields) => void lines.push(fields) },
} as unknown as Runtime

beforeEach(() => {
  lines.length = 0
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const refuse = (log: RefusalLog, count: number, address?: string) => {
  const client = address === undefined ? UNKNOWN_CLIENT : addressBlock(address)
  return Array.from({ length: count }, () => log.count(runtime, client)).filter(Boolean).length
}

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

test.each([
  ["an IPv6 /48", (n: number) => `2001:db8:1:${n.toString(16)}::1`],
  ["an IPv4 /24", (n: number) => `198.51.100.${n}`],
])("50 refusals of %s have lines of their own, whatever the number of its clients", (_name, clientOf) => {
  const log = new RefusalLog()
  const logged = Array.from({ length: 200 }, (_, n) => refuse(log, 2, clientOf(n))).reduce((sum, count) => sum + count)
  expect([logged, refuse(log, 3, "203.0.113.1")]).toEqual([50, 3])
  log.flush(runtime)
  expect(lines).toMatchObject([{ event: "credentials.refused", count: 350, clientHash: expect.any(String) }])
})

test("an attacker with many addresses uses a bounded memory", () => {
  const log = new RefusalLog()
  // Each is a client and a network.
  for (let i = 0; i < 5_000; i++) refuse(log, 1, `10.${i >> 8}.${i & 255}.1`)
  expect([refuse(log, 12, "192.0.2.1"), refuse(log, 12, "192.0.2.2"), refuse(log, 12, "10.1.0.1")]).toEqual([10, 0, 9])
  log.flush(runtime)
  expect(lines.map(({ count }) => count)).toEqual([3, 14])
})
