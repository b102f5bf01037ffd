import type { IncomingMessage } from "node:http"
import { describe, expect, it } from "vitest"
import { addressBlock, clientAddress } from "./client-address"

/** A request from this peer. Node joins several `x-forwarded-for` headers with ", ". */
const from = (peer: string | undefined, forwarded?: string) =>
  ({ socket: { remoteAddress: peer }, headers: { "x-forwarded-for": forwarded } }) as unknown as IncomingMessage

describe("the client's address", () => {
  it("is the peer without a trusted proxy, whatever the header says", () => {
    expect(clientAddress(from("203.0.113.9", "198.51.100.1"), 0)).toBe("203.0.113.9")
    expect(clientAddress(from("::ffff:203.0.113.9", "198.51.100.1"), 0)).toBe("203.0.113.9")
  })

  it("is refused when the socket has no peer, because its client has left", () => {
    expect(() => clientAddress(from(undefined), 0)).toThrow("The connection was closed.")
    expect(clientAddress(from(undefined, "203.0.113.9"), 1)).toBe("203.0.113.9")
  })

  it("is the entry of the one trusted proxy, whatever the client wrote before it", () => {
    expect(clientAddress(from("10.0.0.1", "203.0.113.9"), 1)).toBe("203.0.113.9")
    expect(clientAddress(from("10.0.0.1", "198.51.100.1, 127.0.0.1, 203.0.113.9"), 1)).toBe("203.0.113.9")
    expect(clientAddress(from("10.0.0.1", "198.51.100.1,203.0.113.9"), 1)).toBe("203.0.113.9")
  })

  it("is the entry of the outermost of two trusted proxies", () => {
    expect(clientAddress(from("10.0.0.2", "198.51.100.1, 203.0.113.9, 10.0.0.1"), 2)).toBe("203.0.113.9")
  })

  it.each([
    ["without the header", undefined],
    ["with an empty one", ""],
    ["with fewer entries than proxies", "203.0.113.9"],
    ["with a text that is not an address", "unknown, 10.0.0.1"],
    ["with one that only looks like an address", "203.0.113.999, 10.0.0.1"],
    ["with an empty entry", ", 10.0.0.1"],
  ])("is refused %s, so that a client cannot pass for the proxy", (_case, forwarded) => {
    expect(() => clientAddress(from("10.0.0.2", forwarded), 2)).toThrow("no valid client address")
  })

  it.each([
    ["203.0.113.9:51234", "203.0.113.9"],
    ["[2001:db8::1]:51234", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["2001:DB8:0:0::1", "2001:db8::1"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["::FFFF:cb00:7109", "203.0.113.9"],
  ])("written by a proxy as %s is %s", (written, address) => {
    expect(clientAddress(from("10.0.0.1", written), 1)).toBe(address)
  })
})

describe("the unit of a rate limit", () => {
  it("is an IPv4 address", () => {
    expect(addressBlock("203.0.113.9")).toBe("203.0.113.9")
  })

  it("is an IPv6 /64, in any notation", () => {
    const written = [
      "2001:db8:1:2::1",
      "2001:db8:1:2:ffff:ffff:ffff:ffff",
      "2001:0DB8:0001:0002::",
      "2001:db8:1:2::a%eth0",
    ]
    expect(written.map(addressBlock)).toEqual(Array(4).fill("2001:db8:1:2"))
    expect(addressBlock("2001:db8:1:3::1")).toBe("2001:db8:1:3")
    expect(addressBlock("2001:db8::1")).toBe("2001:db8:0:0")
    expect(addressBlock("::1")).toBe("0:0:0:0")
    expect(addressBlock("fe80::1:2:3:4")).toBe("fe80:0:0:0")
  })

  it("is the IPv4 address of an IPv4-mapped IPv6 address", () => {
    expect(addressBlock("::ffff:203.0.113.9")).toBe("203.0.113.9")
    expect(addressBlock("::ffff:cb00:7109")).toBe("203.0.113.9")
  })
})
