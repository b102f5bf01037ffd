import { spawn } from "node:child_process"
import path from "node:path"
import { describe, expect, inject, it } from "vitest"
import { programEnv } from "@/lib/server/platform/env"
import { testRuntime } from "@/test/database"
import { type Ended, operator } from "@/test/operator"

const OPERATOR = path.join(inject("programs"), "operator.js")

let { databaseUrl } = await testRuntime({ WELCOME_CREDIT_USD: "1" })

function spawned(...args: string[]): Promise<Ended> {
  const env = { ...programEnv(), DATABASE_URL: databaseUrl, WELCOME_CREDIT_USD: "1" }
  const child = spawn(process.execPath, [OPERATOR, ...args], { env })
  const ended = { code: 0, out: "", err: "" }
  child.stdout.on("data", (chunk) => {
    ended.out += chunk
  })
  child.stderr.on("data", (chunk) => {
    ended.err += chunk
  })
  return new Promise((resolve) => child.on("close", (code) => resolve({ ...ended, code: code ?? -1 })))
}

describe("the program", () => {
  it("prints one JSON object and nothing else, next to a running instance", async () => {
    const { code, out, err } = await spawned("account", "create", "spawned@example.com", "--json")
    expect([code, err]).toEqual([0, ""])
    expect(JSON.parse(out)).toMatchObject({ email: "spawned@example.com", balance_usd: "1.000000000000" })
  })

  it("exits with 1 and one line for a refusal, and prints no result", async () => {
    const { code, out, err } = await spawned("account", "show", "nobody@example.com", "--json")
    expect([code, out, err]).toEqual([1, "", "There is no account for this e-mail address.\n"])
  })

  it("exits with 1 and the setting's name for a bad setting", async () => {
    databaseUrl = `mysql${databaseUrl.slice("postgresql".length)}`
    const { code, err } = await spawned("account", "show", "a@example.com")
    databaseUrl = `postgresql${databaseUrl.slice("mysql".length)}`
    expect([code, err]).toEqual([1, "Bad setting: DATABASE_URL must be a postgres:// URL\n"])
  })
})

describe("usage", () => {
  it.each([
    ["no command", []],
    ["an unknown command", ["acount"]],
    ["an unknown verb", ["account", "delete"]],
    ["a missing address", ["account", "show"]],
    ["an argument too many", ["account", "show", "a@example.com", "b@example.com"]],
    ["an unknown option", ["account", "show", "a@example.com", "--verbose"]],
    ["an amount that is not a number", ["account", "credit", "a@example.com", "five", "--note", "x"]],
    ["a negative amount", ["account", "credit", "a@example.com", "--note", "x", "--", "-5"]],
    ["an amount of zero", ["account", "debit", "a@example.com", "0", "--note", "x"]],
    ["a fraction of a pico-dollar", ["account", "credit", "a@example.com", "0.0000000000001", "--note", "x"]],
    ["an amount in scientific notation", ["account", "credit", "a@example.com", "1e3", "--note", "x"]],
    ["a credit without a note", ["account", "credit", "a@example.com", "5"]],
    ["an empty note", ["account", "credit", "a@example.com", "5", "--note", " "]],
    ["a rate of zero", ["account", "limits", "a@example.com", "--per-second", "0"]],
    ["a limit without a period", ["key", "create", "a@example.com", "--name", "x", "--limit-usd", "5"]],
    ["a period without a limit", ["key", "create", "a@example.com", "--name", "x", "--period", "daily"]],
    ["an unknown period", ["key", "create", "a@example.com", "--name", "x", "--limit-usd", "5", "--period", "weekly"]],
    [
      "a limit that is no amount",
      ["key", "create", "a@example.com", "--name", "x", "--limit-usd", "0", "--period", "daily"],
    ],
    [
      "an expiry in the past",
      ["key", "create", "a@example.com", "--name", "x", "--expires-at", "2020-01-01T00:00:00Z"],
    ],
    ["an expiry that is no date", ["key", "create", "a@example.com", "--name", "x", "--expires-at", "tomorrow"]],
    ["a price that is not a number", ["model", "price", "svc-lexical-baseline-1", "free"]],
    ["a price with seven decimals", ["model", "price", "svc-lexical-baseline-1", "0.0000001"]],
    ["a price above the maximum", ["model", "price", "svc-lexical-baseline-1", "100000.000001"]],
    ["an address that is none", ["account", "create", "ada@localhost"]],
    ["a day that is none", ["model", "alias", "m-1", "--on", "2027-02-30"]],
    ["a plan without a model", ["model", "alias", "--on", "2099-12-01"]],
    ["a notice without a plan", ["model", "alias", "m-1", "--notice", "3"]],
    ["a share above all requests", ["model", "shadow", "a", "--to", "m-1", "--share", "101%"]],
    ["a share of nothing", ["model", "shadow", "a", "--to", "m-1", "--share", "0"]],
    ["a candidate without a share", ["model", "shadow", "a", "--to", "m-1"]],
    ["a budget without a candidate", ["model", "shadow", "a", "--budget", "5"]],
    ["the end of a shadow with a candidate", ["model", "shadow", "a", "--off", "--to", "m-1", "--share", "5%"]],
    ["a model id with a space", ["model", "add", "m 1", "--engine-url", "http://localhost:1", "--engine-model", "m"]],
    ["a cursor of another list", ["audit", "list", "--after", "acc_1"]],
    ["no limit at all", ["model", "limits", "svc-lexical-baseline-1"]],
    ["a limit above the ceiling", ["model", "limits", "svc-lexical-baseline-1", "--options", "256"]],
    ["an engine that is no URL", ["model", "add", "m-1", "--engine-url", "localhost:8080", "--engine-model", "m"]],
    [
      "a tokenizer that is no folder",
      ["model", "add", "m-1", "--engine-url", "http://localhost:1", "--engine-model", "m", "--tokenizer", "/none"],
    ],
  ])("of %s exits with 2, explains it on standard error and prints nothing else", async (_name, args) => {
    const { code, out, err } = await operator(...args)
    expect([code, out]).toEqual([2, ""])
    expect(err).not.toBe("")
    expect(err).not.toContain("    at ")
  })

  it("lists the commands on request and exits with 0", async () => {
    const { code, out } = await operator("--help")
    expect(code).toBe(0)
    expect(out).toContain("account")
    expect((await operator("key", "create", "--help")).out).toContain("--limit-usd <usd>")
  })
})
