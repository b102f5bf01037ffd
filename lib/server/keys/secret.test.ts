import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { hashSecret, newSecret } from "./secret"

describe("a key token", () => {
  it("has the form that secret scanners look for", () => {
    expect(newSecret("svcd_").token).toMatch(/^svcd_[0-9A-Za-z]{42}$/)
    expect(newSecret("svcd_").masked).toMatch(/^svcd_[0-9A-Za-z]{4}…[0-9A-Za-z]{4}$/)
  })

  it("is looked up by the SHA-256 of the whole token", () => {
    const { token, sha256 } = newSecret("svcd_")
    expect(sha256).toEqual(createHash("sha256").update(token).digest())
    expect(hashSecret("svcd_", token)).toEqual(sha256)
  })

  it("keeps its checksum: the CRC-32 of the random part in base62", () => {
    expect(hashSecret("svcd_", "svcd_0000000000000000000000000000000000000etOEM")).not.toBeNull()
  })

  it("is refused without the database when one character is wrong", () => {
    const { token } = newSecret("svcd_")
    const other = token.endsWith("A") ? "B" : "A"
    expect(hashSecret("svcd_", token.slice(0, -1) + other)).toBeNull()
    expect(hashSecret("svcd_", token.replace("svcd_", "svca_"))).toBeNull()
    expect(hashSecret("svcd_", `${token}A`)).toBeNull()
    expect(hashSecret("svcd_", "")).toBeNull()
  })

  it("is never created twice", () => {
    expect(new Set(Array.from({ length: 1_000 }, () => newSecret("svcd_").token)).size).toBe(1_000)
  })
})
