import { beforeAll, describe, expect, it } from "vitest"
import { testRuntime } from "@/test/database"
import { audited, operatorJson as json, operator } from "@/test/operator"

beforeAll(() => testRuntime())

describe("allowance", () => {
  it("is set for a domain, listed, changed and ended, each with an entry in the audit log", async () => {
    const { allowances } = await json("allowance", "set", "Example.com", "20")
    expect(allowances).toEqual([
      {
        id: expect.stringMatching(/^alw_[0-9a-z]{26}$/),
        target: "example.com",
        email: null,
        per: "account",
        amount_usd: "20.000000000000",
        carries_over: false,
        granted: 0,
        granted_usd: "0.000000000000",
      },
    ])
    const { id } = allowances[0]
    const changed = await json("allowance", "set", "example.com", "30", "--carry-over")
    expect(changed.allowances).toMatchObject([{ id, amount_usd: "30.000000000000", carries_over: true }])
    expect((await operator("allowance", "list")).out).toMatch(/example\.com +each account +\$30(?:\.00)? +stays/)
    expect(await json("allowance", "end", id)).toEqual({ allowances: [] })
    expect(await audited("allowance.set", id)).toEqual([{ actor: "operator" }, { actor: "operator" }])
    expect(await audited("allowance.end", id)).toEqual([{ actor: "operator" }])
    expect((await operator("allowance", "end", id)).err).toBe("There is no such allowance.\n")
  })

  it("is set for one account and for its members by the account's id", async () => {
    const { id } = await json("account", "create", "ada@example.com")
    await json("allowance", "set", id, "5", "--per", "member")
    const { allowances } = await json("allowance", "set", id, "7")
    expect(allowances).toMatchObject([
      { target: id, email: "ada@example.com", per: "member", amount_usd: "5.000000000000" },
      { target: id, email: "ada@example.com", per: "account", amount_usd: "7.000000000000" },
    ])
  })

  it("is set for the account that a member's address or the start of a key names", async () => {
    const { id } = await json("account", "create", "bob@named.example")
    const { key } = await json("key", "create", "bob@named.example", "--name", "CI")
    await json("allowance", "set", "Bob@named.example", "3")
    const { allowances } = await json("allowance", "set", key.slice(0, "svcd_AbCd".length), "4")
    expect(allowances.filter(({ email }: { email: string }) => email === "bob@named.example")).toMatchObject([
      { target: id, per: "account", amount_usd: "4.000000000000" },
    ])
    expect((await operator("allowance", "set", "nobody@named.example", "5")).err).toBe(
      "There is no account for this e-mail address.\n",
    )
  })

  it.each(["example", "acc_1", "*.example.com", ""])(
    "is refused for %j, which is no domain and names no account",
    async (target) => {
      const { code, err } = await operator("allowance", "set", target, "5")
      expect([code, err]).toEqual([
        2,
        expect.stringContaining("Enter a domain such as example.com, or the id of an account."),
      ])
    },
  )

  it("is refused for an account that does not exist", async () => {
    expect((await operator("allowance", "set", `acc_${"0".repeat(26)}`, "5")).err).toBe("There is no such account.\n")
  })
})
