import { describe, expect, it } from "vitest"
import { placeHold } from "@/lib/server/ledger/hold"
import { newId, parsePublicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import type { KeySummary } from "@/lib/shared/keys/schema"
import { LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { testService } from "@/test/service"
import { signUp } from "@/test/sign-up"
import { changeKey, pauseKey, resumeKey } from "./change-key"
import { createKey } from "./create-key"
import { listKeys } from "./read-keys"
import { revokeKey } from "./revoke-key"

const service = await testService()

const BODY = { model: LEXICAL_BASELINE, state: "s", questions: { q: { type: "noul", instructions: "Is it?" } } }

async function keyOf(email: string) {
  const actor = await signUp(email)
  const limit = { amountUsd: "1", period: "lifetime" as const }
  return { actor, ...(await createKey(runtime(), actor, { name: "Production", limit, expiresAt: null })) }
}

async function find(actor: Parameters<typeof listKeys>[1], id: string): Promise<KeySummary | undefined> {
  return (await listKeys(runtime(), actor)).find((key) => key.id === id)
}

async function actionsOn(id: string): Promise<string[]> {
  const { rows } = await service.runtime.pool.query(
    "SELECT action FROM audit_event WHERE subject = $1 ORDER BY audit_event.id",
    [id],
  )
  return rows.map(({ action }) => action)
}

const statusWith = async (token: string) => (await service.decide(token, BODY)).status

describe("changeKey", () => {
  it("gives a key another name and note, and changes nothing else", async () => {
    const { actor, id } = await keyOf("rename@example.com")
    const before = await find(actor, id)
    await changeKey(runtime(), actor, { id, name: "Billing bot", note: "Runs at night." })
    expect(await find(actor, id)).toEqual({ ...before, name: "Billing bot", note: "Runs at night." })
    await changeKey(runtime(), actor, { id, name: "Bot" })
    expect(await find(actor, id)).toEqual({ ...before, name: "Bot", note: "Runs at night." })
    await changeKey(runtime(), actor, { id, name: "Billing bot", note: "" })
    expect(await find(actor, id)).toEqual({ ...before, name: "Billing bot" })
    expect(await actionsOn(id)).toEqual(["key.create", "key.change", "key.change", "key.change"])
  })
})

describe("a paused key", () => {
  it("is refused with 401, and works again once it is resumed", async () => {
    const { actor, id, token } = await keyOf("pause@example.com")
    expect(await statusWith(token)).toBe(200)
    await pauseKey(runtime(), actor, { id })
    expect([await statusWith(token), (await find(actor, id))?.status]).toEqual([401, "paused"])
    await resumeKey(runtime(), actor, { id })
    expect([await statusWith(token), (await find(actor, id))?.status]).toEqual([200, "active"])
    expect(await actionsOn(id)).toEqual(["key.create", "key.pause", "key.resume"])
  })

  it("can hold nothing, also where another process still knows it as active", async () => {
    const { actor, id } = await keyOf("elsewhere@example.com")
    await pauseKey(runtime(), actor, { id })
    const keyId = parsePublicId("key", id) ?? ""
    const payer = { accountId: actor.accountId, keyId }
    expect(
      await placeHold(runtime(), {
        id: newId(),
        actor: payer,
        modelId: LEXICAL_BASELINE,
        pricePico: pico(0n),
        maxTokens: 1,
      }),
    ).toEqual({ outcome: "revoked" })
  })

  it("can be revoked, and a revoked key cannot be changed, paused or resumed", async () => {
    const { actor, id } = await keyOf("ended@example.com")
    await pauseKey(runtime(), actor, { id })
    await revokeKey(runtime(), actor, { id })
    expect((await find(actor, id))?.status).toBe("revoked")
    const refused = { code: "forbidden", message: "This key is revoked and cannot be changed." }
    await expect(changeKey(runtime(), actor, { id, name: "K", note: "" })).rejects.toMatchObject(refused)
    await expect(pauseKey(runtime(), actor, { id })).rejects.toMatchObject(refused)
    await expect(resumeKey(runtime(), actor, { id })).rejects.toMatchObject(refused)
  })

  it("is paused once: a second call changes and records nothing", async () => {
    const { actor, id } = await keyOf("twice@example.com")
    for (const again of [pauseKey, pauseKey, resumeKey, resumeKey]) await again(runtime(), actor, { id })
    expect(await actionsOn(id)).toEqual(["key.create", "key.pause", "key.resume"])
  })
})

it.each([
  ["changed", (actor, id) => changeKey(runtime(), actor, { id, name: "K", note: "" })],
  ["paused", (actor, id) => pauseKey(runtime(), actor, { id })],
  ["resumed", (actor, id) => resumeKey(runtime(), actor, { id })],
] satisfies [string, (actor: Parameters<typeof pauseKey>[1], id: string) => Promise<unknown>][])(
  "another account's key and the Playground key cannot be %s",
  async (what, act) => {
    const [{ id }, other] = [await keyOf(`${what}-mine@example.com`), await signUp(`${what}-theirs@example.com`)]
    await expect(act(other, id)).rejects.toMatchObject({ code: "not_found", message: "There is no such key." })
    const playground = (await listKeys(runtime(), other)).find(({ kind }) => kind === "playground")
    await expect(act(other, playground?.id ?? "")).rejects.toMatchObject({ code: "forbidden" })
  },
)
