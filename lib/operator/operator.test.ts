import { spawn } from "node:child_process"
import { beforeAll, describe, expect, it } from "vitest"
import { testRuntime } from "../../test/database"
import { programEnv } from "../env"
import { parsePublicId } from "../ids"
import { parseKeyToken } from "../keys/token"
import { runtime } from "../runtime"
import { operate } from "./command-line"

let databaseUrl = ""
beforeAll(async () => {
  databaseUrl = (await testRuntime({ WELCOME_CREDIT_USD: "1" })).databaseUrl
})

interface Ended {
  code: number
  out: string
  err: string
}

/** The command in this process, on this suite's runtime. */
async function operator(...args: string[]): Promise<Ended> {
  const ended = { code: 0, out: "", err: "" }
  const terminal = {
    out: (text: string) => {
      ended.out += text
    },
    err: (text: string) => {
      ended.err += text
    },
  }
  ended.code = await operate(args, terminal, (work) => work())
  return ended
}

/** The command as an operator runs it: a program of its own, beside this one. */
function spawned(...args: string[]): Promise<Ended> {
  const env = { ...programEnv(), DATABASE_URL: databaseUrl, WELCOME_CREDIT_USD: "1" }
  const child = spawn(process.execPath, ["--import", "tsx", "lib/operator/main.ts", ...args], { env })
  const ended = { code: 0, out: "", err: "" }
  child.stdout.on("data", (chunk) => {
    ended.out += chunk
  })
  child.stderr.on("data", (chunk) => {
    ended.err += chunk
  })
  return new Promise((resolve) => child.on("close", (code) => resolve({ ...ended, code: code ?? -1 })))
}

async function json(...args: string[]) {
  const { code, out, err } = await operator(...args, "--json")
  expect([code, err]).toEqual([0, ""])
  return JSON.parse(out)
}

const audited = async (action: string, subject: string) => {
  const { rows } = await runtime().pool.query("SELECT actor FROM audit_event WHERE action = $1 AND subject = $2", [
    action,
    subject,
  ])
  return rows
}

describe("the program", () => {
  it("prints one JSON object and nothing else, beside a running instance", async () => {
    const { code, out, err } = await spawned("account", "create", "spawned@example.com", "--json")
    expect([code, err]).toEqual([0, ""])
    expect(JSON.parse(out)).toMatchObject({ email: "spawned@example.com", balance_usd: "1.000000000000" })
  })

  it("ends with 1 and one line for what is refused, and prints no result", async () => {
    const { code, out, err } = await spawned("account", "show", "nobody@example.com", "--json")
    expect([code, out, err]).toEqual([1, "", "There is no account for this e-mail address.\n"])
  })

  it("ends with 1 and the setting's name when a setting is bad", async () => {
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
    ["an amount that is none", ["account", "credit", "a@example.com", "five", "--note", "x"]],
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
    ["a price that is none", ["model", "price", "svc-lexical-baseline-1", "free"]],
    ["a price with seven decimals", ["model", "price", "svc-lexical-baseline-1", "0.0000001"]],
    ["a price above what the table takes", ["model", "price", "svc-lexical-baseline-1", "100000.000001"]],
    ["no limit at all", ["model", "limits", "svc-lexical-baseline-1"]],
    ["a limit above the ceiling", ["model", "limits", "svc-lexical-baseline-1", "--options", "256"]],
    ["an engine that is no URL", ["model", "add", "m-1", "--engine-url", "localhost:8080", "--engine-model", "m"]],
    [
      "a tokenizer that is no folder",
      ["model", "add", "m-1", "--engine-url", "http://localhost:1", "--engine-model", "m", "--tokenizer", "/none"],
    ],
  ])("of %s ends with 2, says so on standard error and prints nothing else", async (_name, args) => {
    const { code, out, err } = await operator(...args)
    expect([code, out]).toEqual([2, ""])
    expect(err).not.toBe("")
    expect(err).not.toContain("    at ")
  })

  it("lists the commands on request and ends with 0", async () => {
    const { code, out } = await operator("--help")
    expect(code).toBe(0)
    expect(out).toContain("account")
    expect((await operator("key", "create", "--help")).out).toContain("--limit-usd <usd>")
  })
})

describe("account", () => {
  it("is made as a sign-up makes it, once, with its Playground key and the welcome credit", async () => {
    const made = await json("account", "create", " Ada@Example.com ")
    expect(made).toEqual({
      id: expect.stringMatching(/^acc_[0-9a-z]{26}$/),
      email: "ada@example.com",
      balance_usd: "1.000000000000",
      held_usd: "0.000000000000",
      requests_per_second: 20,
      keys: [
        {
          id: expect.stringMatching(/^key_[0-9a-z]{26}$/),
          name: "Playground",
          masked: null,
          limit_usd: null,
          period: null,
          spent_usd: "0.000000000000",
          status: "active",
        },
      ],
    })
    expect(await json("account", "create", "ada@example.com")).toEqual(made)
    expect(await audited("account.create", parsePublicId("acc", made.id) ?? "")).toEqual([{ actor: "operator" }])
  })

  it("is refused for what is no e-mail address", async () => {
    expect((await operator("account", "create", "not-an-address")).code).toBe(1)
  })

  it("is credited and debited to the pico-dollar, below zero too, with the note in the ledger", async () => {
    await json("account", "create", "money@example.com")
    const credited = await json("account", "credit", "money@example.com", "0.000000000001", "--note", "a gift")
    expect(credited.balance_usd).toBe("1.000000000001")
    const debited = await json("account", "debit", "money@example.com", "3", "--note", "an error")
    expect(debited.balance_usd).toBe("-1.999999999999")
    const accountId = parsePublicId("acc", debited.id)
    const { rows } = await runtime().pool.query(
      "SELECT kind, amount_pico, note FROM ledger_entry WHERE account_id = $1 ORDER BY id",
      [accountId],
    )
    expect(rows).toEqual([
      { kind: "welcome", amount_pico: "1000000000000", note: null },
      { kind: "credit", amount_pico: "1", note: "a gift" },
      { kind: "debit", amount_pico: "-3000000000000", note: "an error" },
    ])
    expect(await audited("account.credit", accountId ?? "")).toEqual([{ actor: "operator" }])
  })

  it("is never credited past what the ledger can hold", async () => {
    await json("account", "create", "rich@example.com")
    expect((await operator("account", "credit", "rich@example.com", "9000000", "--note", "x")).err).toBe(
      "The balance would be more than the ledger can hold.\n",
    )
    expect((await json("account", "show", "rich@example.com")).balance_usd).toBe("1.000000000000")
  })

  it("has its own rates, and its keys theirs", async () => {
    const { id } = await json("account", "create", "fast@example.com")
    const set = await json("account", "limits", "fast@example.com", "--per-second", "50", "--per-key", "25")
    expect(set.requests_per_second).toBe(50)
    const text = (await operator("account", "limits", "fast@example.com", "--per-second", "60")).out
    expect(text).toContain("60 per second, 25 per key")
    expect(await audited("account.limits", parsePublicId("acc", id) ?? "")).toHaveLength(2)
  })

  it.each([
    ["show", ["account", "show", "nobody@example.com"]],
    ["credit", ["account", "credit", "nobody@example.com", "5", "--note", "x"]],
    ["limits", ["account", "limits", "nobody@example.com", "--per-second", "5"]],
    ["key create", ["key", "create", "nobody@example.com", "--name", "x"]],
  ])("%s of an unknown address is refused", async (_name, args) => {
    expect(await operator(...args)).toEqual({ code: 1, out: "", err: "There is no account for this e-mail address.\n" })
  })
})

describe("key", () => {
  it("is printed once, works, and is known to the account by its mask only", async () => {
    await json("account", "create", "keys@example.com")
    const made = await json(
      "key",
      "create",
      "keys@example.com",
      "--name",
      "CI",
      "--limit-usd",
      "0.5",
      "--period",
      "daily",
    )
    expect(made).toEqual({
      id: expect.stringMatching(/^key_/),
      name: "CI",
      key: expect.stringMatching(/^svcd_[0-9A-Za-z]{42}$/),
    })
    expect(parseKeyToken(made.key)).not.toBeNull()
    const { out } = await operator("account", "show", "keys@example.com", "--json")
    expect(out).not.toContain(made.key)
    expect(JSON.parse(out).keys[0]).toEqual({
      id: made.id,
      name: "CI",
      masked: `${made.key.slice(0, 9)}…${made.key.slice(-4)}`,
      limit_usd: "0.500000000000",
      period: "daily",
      spent_usd: "0.000000000000",
      status: "active",
    })
    expect(await audited("key.create", made.id)).toEqual([{ actor: "operator" }])
  })

  it("ends when it is revoked, twice without harm", async () => {
    await json("account", "create", "revoked@example.com")
    const { id } = await json("key", "create", "revoked@example.com", "--name", "Old")
    expect(await json("key", "revoke", id)).toEqual({ id, status: "revoked" })
    expect(await json("key", "revoke", id)).toEqual({ id, status: "revoked" })
    expect((await json("account", "show", "revoked@example.com")).keys[0].status).toBe("revoked")
    expect(await audited("key.revoke", id)).toEqual([{ actor: "operator" }])
  })

  it.each(["key_00000000000000000000000000", "svcd_secret", "x"])(
    "revoke of %s is refused without repeating it",
    async (id) => {
      expect(await operator("key", "revoke", id)).toEqual({ code: 1, out: "", err: "There is no such key.\n" })
    },
  )
})

describe("model", () => {
  const entry = {
    id: "svc-lexical-baseline-1",
    kind: "pinned",
    target_model: null,
    status: "active",
    replacement_model: null,
    price_per_million_input_tokens_usd: "0.000000",
    max_questions: 16,
    max_options: 255,
    max_levels: 10,
    max_body_bytes: 29_360_128,
  }
  const refused = ["--engine-url", "http://127.0.0.1:9", "--engine-model", "kev"]

  it("list shows what a first start would seed, each with what its engine's probe says", async () => {
    expect(await json("model", "list")).toEqual({
      models: [
        { ...entry, id: "svc-decider-latest", kind: "alias", target_model: entry.id, available: true, reason: null },
        { ...entry, available: true, reason: null },
      ],
    })
  })

  it("price and limits hold from then on", async () => {
    expect(await json("model", "price", entry.id, "0.5")).toEqual({
      ...entry,
      price_per_million_input_tokens_usd: "0.500000",
    })
    const limits = ["--questions", "3", "--options", "4", "--levels", "5", "--body-bytes", "1000"]
    const limited = await json("model", "limits", entry.id, ...limits)
    expect(limited).toMatchObject({ max_questions: 3, max_options: 4, max_levels: 5, max_body_bytes: 1000 })
    expect(await audited("model.price", entry.id)).toEqual([{ actor: "operator" }])
  })

  it("add makes a pinned model once; its probe says why it cannot be used", async () => {
    const added = await json("model", "add", "svc-test-2", ...refused, "--price", "0.02")
    expect(added).toMatchObject({ id: "svc-test-2", status: "active", price_per_million_input_tokens_usd: "0.020000" })
    expect((await operator("model", "add", "svc-test-2", ...refused)).code).toBe(1)
    expect((await operator("model", "add", "Svc Test", ...refused)).code).toBe(1)
    const probe = await operator("model", "probe", "svc-test-2", "--json")
    expect(probe.code).toBe(1)
    expect(JSON.parse(probe.out)).toEqual({ id: "svc-test-2", available: false, reason: expect.any(String) })
    expect(probe.err).toMatch(/^svc-test-2: .+\n$/)
    expect(await json("model", "probe", "svc-decider-latest")).toMatchObject({ available: true, reason: null })
  })

  it("alias moves, and retiring its target is refused", async () => {
    await json("model", "add", "svc-test-3", ...refused)
    expect(await json("model", "alias", "svc-test-3")).toMatchObject({ kind: "alias", target_model: "svc-test-3" })
    expect((await operator("model", "retire", "svc-test-3")).code).toBe(1)
    expect(await json("model", "alias", entry.id)).toMatchObject({ target_model: entry.id })
    const retired = await json("model", "retire", "svc-test-3", "--replacement", entry.id)
    expect(retired).toMatchObject({ status: "retired", replacement_model: entry.id })
    expect((await operator("model", "alias", "svc-test-3")).code).toBe(1)
  })

  it.each([
    ["price", ["model", "price", "svc-none", "1"]],
    ["limits", ["model", "limits", "svc-none", "--levels", "2"]],
    ["retire", ["model", "retire", "svc-none"]],
    ["alias", ["model", "alias", "svc-none"]],
    ["probe", ["model", "probe", "svc-none"]],
  ])("%s of an unknown id is refused", async (_name, args) => {
    expect(await operator(...args)).toEqual({ code: 1, out: "", err: "There is no model with this id.\n" })
  })
})

describe("ledger verify", () => {
  it("is ok, and after drift ends with 1 and names what fails", async () => {
    const sound = await json("ledger", "verify")
    expect(sound.ok).toBe(true)
    expect(sound.checks.length).toBeGreaterThan(5)
    const { id } = await json("account", "create", "drift@example.com")
    const drift = "UPDATE account SET balance_pico = balance_pico + $2 WHERE id = $1"
    await runtime().pool.query(drift, [parsePublicId("acc", id), 1])
    const { code, out, err } = await operator("ledger", "verify", "--json")
    await runtime().pool.query(drift, [parsePublicId("acc", id), -1])
    expect(code).toBe(1)
    expect(JSON.parse(out).ok).toBe(false)
    expect(err).toBe("The ledger drifts: balance is the sum of the account's ledger (1).\n")
  })
})
