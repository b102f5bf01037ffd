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
  it("lists accounts page by page, newest first", async () => {
    for (const name of ["b", "c"]) await json("account", "create", `${name}@example.com`)
    await json("account", "suspend", "b@example.com")
    const first = await json("account", "list", "--limit", "2")
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(first).toEqual({
      accounts: [
        { email: "c@example.com", status: "active", balance_usd: "1.000000000000", created_at: at },
        { email: "b@example.com", status: "suspended", balance_usd: "1.000000000000", created_at: at },
      ],
      next: expect.stringMatching(/^acc_[0-9a-z]{26}$/),
    })
    const second = await json("account", "list", "--limit", "2", "--after", first.next)
    expect(second.accounts.map(({ email }: { email: string }) => email)).toEqual(["ada@example.com"])
    expect(second.next).toBeNull()
    expect((await operator("account", "list", "--limit", "2")).out).toContain(`More: add --after ${first.next}`)
    expect((await operator("account", "list", "--after", "acc_x")).code).toBe(1)
  })

  it("is empty after the last page", async () => {
    expect(await json("account", "list", "--after", `acc_${"0".repeat(26)}`)).toEqual({ accounts: [], next: null })
  })
})
