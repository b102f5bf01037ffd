import { beforeAll, describe, expect, it } from "vitest"
import { parsePublicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { audited, operatorJson as json, operator } from "@/test/operator"

beforeAll(() => testRuntime({ WELCOME_CREDIT_USD: "1" }))

describe("account", () => {
  it("is created once, as by a sign-up, with its Playground key and the welcome credit", async () => {
    const made = await json("account", "create", " Ada@Example.com ")
    expect(made).toEqual({
      id: expect.stringMatching(/^acc_[0-9a-z]{26}$/),
      email: "ada@example.com",
      status: "active",
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

  it("is never credited with more than the ledger can store", async () => {
    await json("account", "create", "rich@example.com")
    expect((await operator("account", "credit", "rich@example.com", "9000000", "--note", "x")).err).toBe(
      "The balance would be larger than the ledger can store.\n",
    )
    expect((await json("account", "show", "rich@example.com")).balance_usd).toBe("1.000000000000")
  })

  it("has its own rates, and its keys have theirs", async () => {
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
