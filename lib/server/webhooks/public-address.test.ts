import { expect, test } from "vitest"
import { isPublicAddress } from "./public-address"

test.each([
  "8.8.8.8",
  "1.1.1.1",
  "168.63.129.17",
  "172.32.0.1",
  "100.128.0.1",
  "2606:4700::1111",
  "2a00:1450:4001::1",
  "::ffff:8.8.8.8",
])("%s is public", (address) => expect(isPublicAddress(address)).toBe(true))

const REFUSED = {
  loopback: ["127.0.0.1", "127.255.255.254", "::1"],
  private: ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fc00::1", "fd12:3456::1", "fec0::1"],
  "link-local": ["169.254.1.1", "fe80::1", "fe80::1%eth0"],
  "metadata of AWS": ["169.254.169.254", "169.254.170.2", "fd00:ec2::254", "fd00:ec2::23"],
  "metadata of Google, Azure, Oracle and DigitalOcean": ["169.254.169.254", "fd20:ce::254", "192.0.0.192"],
  "the wire server of Azure": ["168.63.129.16", "::ffff:168.63.129.16", "::ffff:a83f:8110"],
  "metadata of Alibaba, Tencent and Scaleway": ["100.100.100.200", "169.254.0.23", "169.254.42.42", "fd00:42::42"],
  "shared and special": ["100.64.0.1", "0.0.0.0", "255.255.255.255", "192.0.0.1", "198.18.0.1", "::"],
  documentation: ["192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1"],
  multicast: ["224.0.0.1", "239.255.255.255", "ff02::1"],
  reserved: ["240.0.0.1", "4000::1", "64:ff9b:1::1"],
  "IPv4 in IPv6": [
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::1",
    "2001:0:1::1",
  ],
  "no address": ["", "localhost", "127.1", "2130706433x", "example.com"],
}

test.each(Object.entries(REFUSED).flatMap(([kind, list]) => list.map((address) => [kind, address])))(
  "%s: %s is refused",
  (_kind, address = "") => expect(isPublicAddress(address)).toBe(false),
)
