import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { newKeyToken, parseKeyToken } from "./token"

describe("a key token", () => {
  it("has the form that secret scanners look for", () => {
    expect(newKeyToken().token).toMatch(/^svcd_[0-9A-Za-z]{42}$/)
    expect(newKeyToken().masked).toMatch(/^svcd_[0-9A-Za-z]{4}…[0-9A-Za-z]{4}$/)
  })

  it("is looked up by the SHA-256 of the whole token", () => {
    const { token, sha256 } = newKeyToken()
    expect(sha256).toEqual(createHash("sha256").update(token).digest())
    expect(parseKeyToken(token)).toEqual(sha256)
  })

  it("keeps its checksum: the CRC-32 of the random part in base62", () => {
    expect(parseKeyToken("svcd_0000000000000000000000000000000000000etOEM")).not.toBeNull()
  })

  it("is refused without the database when one character is wrong", () => {
    const { token } = newKeyToken()
    const other = token.endsWith("A") ? "B" : "A"
    expect(parseKeyToken(token.slice(0, -1) + other)).toBeNull()
    expect(parseKeyToken(token.replace("svcd_", "svca_"))).toBeNull()
    expect(parseKeyToken(`${token}A`)).toBeNull()
    expect(parseKeyToken("")).toBeNull()
  })

  it("is never created twice", () => {
    expect(new Set(Array.from({ length: 1_000 }, () => newKeyToken().token)).size).toBe(1_000)
  })
})
