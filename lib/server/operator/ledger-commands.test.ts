import { beforeAll, describe, expect, it } from "vitest"
import { parsePublicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { operatorJson as json, operator } from "@/test/operator"

beforeAll(() => testRuntime({ WELCOME_CREDIT_USD: "1" }))

describe("ledger verify", () => {
  it("is ok, and after drift exits with 1 and names the failing check", async () => {
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
    expect(err).toBe("The ledger violates: balance is the sum of the account's ledger (1).\n")
  })
})
