import { beforeAll, describe, expect, it } from "vitest"
import { testRuntime } from "@/test/database"
import { operatorJson as json, operator } from "@/test/operator"

beforeAll(() => testRuntime({ WELCOME_CREDIT_USD: "1" }))

describe("account suspend, resume and close", () => {
  it("print the account with its status, and repeating one exits with 0", async () => {
    await json("account", "create", "ada@example.com")
    for (const [command, status] of [
      ["suspend", "suspended"],
      ["suspend", "suspended"],
      ["resume", "active"],
      ["resume", "active"],
      ["close", "closed"],
      ["close", "closed"],
    ] as const)
      expect(await json("account", command, "ada@example.com")).toMatchObject({
        email: "ada@example.com",
        status,
        balance_usd: "1.000000000000",
      })
    expect(await operator("account", "resume", "ada@example.com")).toEqual({
      code: 1,
      out: "",
      err: "This account is closed for good.\n",
    })
  })

  it.each(["suspend", "resume", "close"])(
    "%s of an unknown address exits with 1, without an address with 2",
    async (command) => {
      expect(await operator("account", command, "nobody@example.com")).toEqual({
        code: 1,
        out: "",
        err: "There is no account for this e-mail address.\n",
      })
      expect((await operator("account", command)).code).toBe(2)
    },
  )
})

describe("account list", () => {
  // Of the three accounts of this file.
  const totals = {
    accounts: 3,
    active: 1,
    suspended: 1,
    closed: 1,
    negative: 0,
    balance_usd: "3.000000000000",
    held_usd: "0.000000000000",
  }

  it("lists accounts page by page, newest first", async () => {
    for (const name of ["b", "c"]) await json("account", "create", `${name}@example.com`)
    await json("account", "suspend", "b@example.com")
    const first = await json("account", "list", "--limit", "2")
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const id = expect.stringMatching(/^acc_[0-9a-z]{26}$/)
    const money = { balance_usd: "1.000000000000", spent_30_days_usd: "0.000000000000" }
    expect(first).toEqual({
      accounts: [
        { id, name: null, email: "c@example.com", status: "active", ...money, created_at: at },
        { id, name: null, email: "b@example.com", status: "suspended", ...money, created_at: at },
      ],
      next: id,
      totals,
    })
    const second = await json("account", "list", "--limit", "2", "--after", first.next)
    expect(second.accounts.map(({ email }: { email: string }) => email)).toEqual(["ada@example.com"])
    expect(second.next).toBeNull()
    expect((await operator("account", "list", "--limit", "2")).out).toContain(`More: add --after ${first.next}`)
    expect((await operator("account", "list", "--after", "acc_x")).code).toBe(1)
  })

  it("finds accounts by the start of the address or an id, and by status", async () => {
    const emails = async (...args: string[]) =>
      (await json("account", "list", ...args)).accounts.map(({ email }: { email: string }) => email)
    expect(await emails("--search", "B@EXAM")).toEqual(["b@example.com"])
    expect(await emails("--search", "nobody")).toEqual([])
    expect(await emails("--show", "suspended")).toEqual(["b@example.com"])
    expect(await emails("--show", "negative")).toEqual([])
    const { id } = (await json("account", "list", "--search", "ada@")).accounts[0]
    expect(await emails("--search", id)).toEqual(["ada@example.com"])
    const { id: key } = await json("key", "create", "c@example.com", "--name", "CI")
    expect(await emails("--search", key)).toEqual(["c@example.com"])
    expect((await operator("account", "list", "--show", "none")).code).toBe(2)
  })

  it("is empty after the last page", async () => {
    expect(await json("account", "list", "--after", `acc_${"0".repeat(26)}`)).toEqual({
      accounts: [],
      next: null,
      totals,
    })
  })
})
