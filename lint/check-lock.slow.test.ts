import { describe, expect, it } from "vitest"
import { lint } from "./run-check"

describe("check-lock", () => {
  const SHA512 = `sha512-${"a".repeat(86)}==`
  const check = (packages: object, npmrc = "ignore-scripts=true\n") =>
    lint("check-lock.mjs", { ".npmrc": npmrc, "tool/package-lock.json": JSON.stringify({ packages }) })

  it("passes packages with a SHA-512, also one whose install script is known", () => {
    const packages = {
      "": { name: "tool" },
      "node_modules/zod": { integrity: SHA512 },
      "node_modules/tsx/node_modules/esbuild": { integrity: SHA512, hasInstallScript: true },
    }
    expect(check(packages)).toEqual({ status: 0, faults: "" })
  })

  it.each<[string, object, string]>([
    ["no SHA-512", { integrity: "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=" }, "zod has no SHA-512"],
    ["no integrity", {}, "zod has no SHA-512"],
    [
      "Git as its source",
      { integrity: SHA512, resolved: "git+ssh://git@github.com/colinhacks/zod.git#2f2be9b" },
      "zod has an address",
    ],
    [
      "another address as its source",
      { integrity: SHA512, resolved: "https://packages.example.com/zod-4.6.7.tgz" },
      "zod has an address",
    ],
    ["an unknown install script", { integrity: SHA512, hasInstallScript: true }, "zod has an install script"],
  ])("finds a package with %s", (_, entry, fault) => {
    const { status, faults } = check({ "node_modules/zod": entry })
    expect(status).toBe(1)
    expect(faults).toContain(`tool/package-lock.json: ${fault}`)
  })

  it("finds a project whose installation runs scripts", () => {
    expect(check({}, "loglevel=silent\n").faults).toBe(".npmrc: npm runs install scripts. Set ignore-scripts=true\n")
  })
})
