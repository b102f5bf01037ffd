import { beforeAll, describe, expect, it } from "vitest"
import { addAccount } from "@/lib/server/accounts/add-account"
import { newId, parsePublicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { audited, operatorJson as json, operator } from "@/test/operator"
import { ownerOf } from "@/test/sign-up"

beforeAll(() => testRuntime({ WELCOME_CREDIT_USD: "1" }))

describe("account", () => {
  it("is created once, as by a sign-up, with its Playground key and the welcome credit", async () => {
    const made = await json("account", "create", " Ada@Example.com ")
    expect(made).toEqual({
      id: expect.stringMatching(/^acc_[0-9a-z]{26}$/),
      name: null,
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

  it("of a person with several is the first one by its owner's address, and each by its id", async () => {
    const first = await json("account", "create", "several@example.com")
    const { rows } = await runtime().pool.query("SELECT id FROM app_user WHERE email = 'several@example.com'")
    const { id } = await addAccount(runtime(), { ...ownerOf(newId()), userId: rows[0].id }, { name: "Staging" })
    const credited = await json("account", "credit", id, "5", "--note", "x")
    expect(credited).toMatchObject({ id, name: "Staging", email: "several@example.com", balance_usd: "5.000000000000" })
    expect(await json("account", "show", "several@example.com")).toEqual(first)
    expect((await operator("account", "show", id)).out).toContain(`Staging, several@example.com (${id})`)
    await json("key", "create", id, "--name", "CI")
    expect((await json("account", "show", id)).keys.map(({ name }: { name: string }) => name)).toContain("CI")
    expect(await json("topup", "list", id)).toEqual({ topups: [], next: null })
    const { entries } = await json("audit", "list", "--account", id)
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      "key.create",
      "account.credit",
      "account.create",
    ])
  })

  it.each([
    ["show", ["account", "show", "nobody@example.com"]],
    ["credit", ["account", "credit", "nobody@example.com", "5", "--note", "x"]],
    ["limits", ["account", "limits", "nobody@example.com", "--per-second", "5"]],
    ["key create", ["key", "create", "nobody@example.com", "--name", "x"]],
  ])("%s of an unknown address is refused", async (_name, args) => {
    expect(await operator(...args)).toEqual({ code: 1, out: "", err: "There is no account for this e-mail address.\n" })
    const byId = args.map((arg) => arg.replace("nobody@example.com", `acc_${"0".repeat(26)}`))
    expect(await operator(...byId)).toEqual({ code: 1, out: "", err: "There is no such account.\n" })
  })
})
