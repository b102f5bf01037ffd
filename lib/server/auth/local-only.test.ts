import { expect, test } from "vitest"
import { isLocalOnly } from "./local-only"

const here = { isLoopback: true, TRUSTED_PROXY_HOPS: 0 }
const host = ["host", "localhost:3000"] as const

test.each(["localhost:3000", "LOCALHOST", "127.0.0.1:3000", "127.8.9.1", "[::1]:3000"])(
  "a browser at this machine that names it %s is local",
  (name) => {
    expect(isLocalOnly([["host", name]], "127.0.0.1", here)).toBe(true)
  },
)

test.each(["::1", "::ffff:127.0.0.1", "127.3.2.1"])("the peer %s is this machine", (peer) => {
  expect(isLocalOnly([host], peer, here)).toBe(true)
})

test.each(["192.168.1.7", "::ffff:10.0.0.1", "2001:db8::1", "", "127.0.0.1.evil.example", null, undefined])(
  "the peer %j is not this machine",
  (peer) => {
    expect(isLocalOnly([host], peer, here)).toBe(false)
  },
)

test.each(["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:3000", "localhost:3000@evil.example", ""])(
  "a rebound name such as %j is not local",
  (name) => {
    expect(isLocalOnly([["host", name]], "127.0.0.1", here)).toBe(false)
  },
)

test.each(["x-forwarded-for", "X-Forwarded-Host", "x-forwarded-proto", "forwarded", "Via", "x-real-ip"])(
  "a request that carries %s came through a proxy",
  (name) => {
    expect(isLocalOnly([host, [name, "127.0.0.1"]], "127.0.0.1", here)).toBe(false)
  },
)

test("a console with a public address has nothing local", () => {
  expect(isLocalOnly([host], "127.0.0.1", { ...here, isLoopback: false })).toBe(false)
})

test("a request without a Host is not local", () => {
  expect(isLocalOnly([], "127.0.0.1", here)).toBe(false)
})

test("nothing is local where proxies are expected", () => {
  expect(isLocalOnly([host], "127.0.0.1", { ...here, TRUSTED_PROXY_HOPS: 1 })).toBe(false)
})
