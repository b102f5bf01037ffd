import { beforeAll, describe, expect, it } from "vitest"
import { operatorForNamed } from "@/lib/server/accounts/find-account"
import { listKeys } from "@/lib/server/keys/read-keys"
import { hashSecret } from "@/lib/server/keys/secret"
import { runtime } from "@/lib/server/platform/runtime"
import { KEY_TEXTS, mapKeyTexts } from "@/lib/shared/keys/key-texts"
import { testRuntime } from "@/test/database"
import { audited, operatorJson as json, operator } from "@/test/operator"

beforeAll(() => testRuntime({ WELCOME_CREDIT_USD: "1" }))

describe("key", () => {
  it("is printed once with a valid checksum, and is listed by its mask only", async () => {
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
    expect(hashSecret("svcd_", made.key)).not.toBeNull()
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

  it("is created with the texts that its options give", async () => {
    await json("account", "create", "texts@example.com")
    const options = Object.entries(KEY_TEXTS).flatMap(([name, { column }]) => [
      `--${column.replaceAll("_", "-")}`,
      `The ${name}`,
    ])
    const { id } = await json("key", "create", "texts@example.com", "--name", "CI", ...options)
    const [key] = (await listKeys(runtime(), await operatorForNamed(runtime(), "texts@example.com"))).filter(
      (listed) => listed.id === id,
    )
    expect(key).toMatchObject(mapKeyTexts((name) => `The ${name}`))
  })

  it("is listed as revoked once it is revoked, and can be revoked twice", async () => {
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
