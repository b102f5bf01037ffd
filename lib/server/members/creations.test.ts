import { beforeAll, describe, expect, it } from "vitest"
import { createAccountToken, listAccountTokens } from "@/lib/server/accounts/account-tokens"
import { verifyAccountToken } from "@/lib/server/accounts/verify-account-token"
import { createKey } from "@/lib/server/keys/create-key"
import { endOldSecret, replaceKey } from "@/lib/server/keys/replace-key"
import { verifyKey } from "@/lib/server/keys/verify-key"
import type { UserActor } from "@/lib/server/platform/actor"
import { newId, publicId } from "@/lib/server/platform/ids"
import { type Runtime, runtime } from "@/lib/server/platform/runtime"
import { addSlackAddress, createEndpoint, listEndpoints, rotateSecret } from "@/lib/server/webhooks/endpoints"
import type { Role } from "@/lib/shared/accounts/roles"
import { testRuntime } from "@/test/database"
import { handOver } from "@/test/hand-over"
import { signUp } from "@/test/sign-up"
import { changeRole, removeMember } from "./change-members"
import { endLeft, listCreations } from "./creations"

let app: Runtime
beforeAll(async () => {
  app = await testRuntime()
})

const usr = ({ userId }: UserActor) => publicId("usr", userId)
const KEY = { name: "CI", limit: null, expiresAt: null }
const TOKEN = { name: "Dashboard", expiresAt: null }
const ENDPOINT = { url: "https://hooks.example.com/", events: ["balance.low" as const] }

/** Adds a new user with a role to the owner's account. */
async function join(owner: UserActor, role: Role): Promise<UserActor> {
  const user = await signUp()
  const { accountId } = owner
  await app.pool.query("INSERT INTO member (account_id, user_id, role) VALUES ($1, $2, $3)", [
    accountId,
    user.userId,
    role,
  ])
  return { ...user, accountId, role }
}

/** Creates one of each kind. Returns the secrets of the key and the token. */
async function createAll(actor: UserActor) {
  const key = await createKey(runtime(), actor, KEY)
  const token = await createAccountToken(runtime(), actor, TOKEN)
  await createEndpoint(runtime(), actor, ENDPOINT)
  return { key: `Bearer ${key.token}`, token: `Bearer ${token.token}` }
}

const leftKinds = async (owner: UserActor) =>
  (await listCreations(runtime(), owner)).flatMap(({ kind, isLeft }) => (isLeft ? [kind] : []))

describe("what a member created", () => {
  it("includes Slack addresses, by their host and end, and ends them with the rest", async () => {
    const owner = await signUp()
    const leaver = await join(owner, "developer")
    const url = "https://hooks.slack.com/services/T0001/B0001/s3cr3tTokenXyZ9"
    await addSlackAddress(runtime(), leaver, { ...ENDPOINT, url })
    await removeMember(runtime(), owner, { id: usr(leaver) })
    expect(await listCreations(runtime(), owner)).toMatchObject([
      { kind: "webhook", name: "https://hooks.slack.com/…XyZ9", isLeft: true },
    ])
    await endLeft(runtime(), owner, { id: usr(leaver) })
    expect(await listEndpoints(runtime(), owner)).toEqual([])
  })

  it("is listed before the removal as working, and after it as left", async () => {
    const owner = await signUp()
    const leaver = await join(owner, "owner")
    await createAll(leaver)
    const createdBy = { id: usr(leaver), email: leaver.email, role: "owner" }
    expect(await listCreations(runtime(), owner)).toEqual([
      {
        kind: "key",
        id: expect.stringMatching(/^key_/),
        name: "CI",
        masked: expect.any(String),
        createdBy,
        made: "all",
        isLeft: false,
      },
      {
        ...{ kind: "token", id: expect.stringMatching(/^tok_/), name: "Dashboard", masked: expect.any(String) },
        ...{ createdBy, made: "all", isLeft: false },
      },
      {
        ...{ kind: "webhook", id: expect.stringMatching(/^whe_/), name: "https://hooks.example.com/", masked: null },
        ...{ createdBy, made: "all", isLeft: false },
      },
    ])
    await removeMember(runtime(), owner, { id: usr(leaver) })
    expect(await leftKinds(owner)).toEqual(["key", "token", "webhook"])
  })

  it.each<Role>(["developer", "billing", "viewer"])("is left by an owner who becomes %s", async (role) => {
    const owner = await signUp()
    const demoted = await join(owner, "owner")
    await createAll(demoted)
    await changeRole(runtime(), owner, { id: usr(demoted), role })
    expect(await leftKinds(owner)).toEqual(["key", "token", "webhook"])
    await endLeft(runtime(), owner, { id: usr(demoted) })
    expect(await listCreations(runtime(), owner)).toEqual([])
  })

  it("is left by an owner who hands the account over", async () => {
    const owner = await signUp()
    const next = await join(owner, "developer")
    await createAll(owner)
    await handOver(owner, next)
    expect(await leftKinds({ ...next, role: "owner" })).toEqual(["key", "token", "webhook"])
  })

  it("is not left once its creator is an owner again, nor when its creator had no more rights then", async () => {
    const owner = await signUp()
    const demoted = await join(owner, "owner")
    await createAll(demoted)
    const become = (role: Role) => changeRole(runtime(), owner, { id: usr(demoted), role })
    await become("developer")
    const later = await createKey(runtime(), { ...demoted, role: "developer" }, { ...KEY, name: "Later" })
    const left = (await listCreations(runtime(), owner)).filter(({ isLeft }) => isLeft)
    expect(left).toHaveLength(3)
    expect(left).not.toContainEqual(expect.objectContaining({ id: later.id }))
    await become("owner")
    expect(await leftKinds(owner)).toEqual([])
    await become("developer")
    expect(await leftKinds(owner)).toEqual(["key", "key", "token", "webhook"])
  })

  it.each(["key", "webhook"] as const)(
    "is also a secret that replaced the one of another person's %s",
    async (kind) => {
      const owner = await signUp()
      const [leaver, last] = [await join(owner, "developer"), await join(owner, "owner")]
      const created = kind === "key" ? createKey(runtime(), owner, KEY) : createEndpoint(runtime(), owner, ENDPOINT)
      const { id } = await created
      const replace = async (by: UserActor) =>
        kind === "key" ? replaceKey(runtime(), by, { id, overlapHours: 0 }) : rotateSecret(runtime(), by, { id })
      await replace(leaver)
      await removeMember(runtime(), owner, { id: usr(leaver) })
      const listed = await listCreations(runtime(), owner)
      expect(listed.map((each) => [each.id, each.createdBy.role, each.made, each.isLeft]).toSorted()).toEqual([
        [id, null, "secret", true],
        [id, "owner", "all", false],
      ])
      await replace(last)
      // A webhook's messages are signed with the secret before this one for a day more.
      expect(await leftKinds(owner)).toEqual(kind === "key" ? [] : ["webhook"])
      await removeMember(runtime(), owner, { id: usr(last) })
      await endLeft(runtime(), owner, { id: usr(last) })
      expect(await listCreations(runtime(), owner)).toEqual([])
    },
  )

  it("is also an old secret until its overlap ends, which the key outlives", async () => {
    const owner = await signUp()
    const [leaver, last] = [await join(owner, "developer"), await join(owner, "owner")]
    const { id } = await createKey(runtime(), owner, KEY)
    const old = await replaceKey(runtime(), leaver, { id, overlapHours: 0 })
    await removeMember(runtime(), owner, { id: usr(leaver) })
    const current = await replaceKey(runtime(), last, { id, overlapHours: 24 })
    expect(await verifyKey(runtime(), `Bearer ${old.token}`)).toMatchObject({ isOldSecret: true })
    const left = (await listCreations(runtime(), owner)).filter(({ isLeft }) => isLeft)
    expect(left).toMatchObject([{ id, masked: old.masked, made: "old_secret", createdBy: { id: usr(leaver) } }])

    await endLeft(runtime(), owner, { id: usr(leaver) })
    await expect(verifyKey(runtime(), `Bearer ${old.token}`)).rejects.toMatchObject({ code: "invalid_api_key" })
    expect(await verifyKey(runtime(), `Bearer ${current.token}`)).toMatchObject({ isOldSecret: false })
    expect(await leftKinds(owner)).toEqual([])
  })

  it("is also an old secret of a webhook while messages are signed with it, which the webhook outlives", async () => {
    const owner = await signUp()
    const [leaver, last] = [await join(owner, "developer"), await join(owner, "owner")]
    const { id } = await createEndpoint(runtime(), owner, ENDPOINT)
    for (const by of [leaver, last]) await rotateSecret(runtime(), by, { id })
    await removeMember(runtime(), owner, { id: usr(leaver) })
    const left = (await listCreations(runtime(), owner)).filter(({ isLeft }) => isLeft)
    expect(left).toMatchObject([{ id, kind: "webhook", made: "old_secret", createdBy: { id: usr(leaver) } }])

    await endLeft(runtime(), owner, { id: usr(leaver) })
    expect(await listEndpoints(runtime(), owner)).toMatchObject([{ id, previousUntil: null }])
    const { rows } = await app.pool.query(
      `SELECT previous_secret, (SELECT array_agg(action ORDER BY id) FROM audit_event WHERE subject = $2) AS actions
       FROM webhook_endpoint WHERE account_id = $1`,
      [owner.accountId, id],
    )
    const actions = ["webhook.create", "webhook.rotate", "webhook.rotate", "webhook.end_secret"]
    expect(rows).toEqual([{ previous_secret: null, actions }])
    expect(await leftKinds(owner)).toEqual([])
  })

  it("is no old secret of a webhook after its overlap, nor of who is listed for the webhook or its present secret", async () => {
    const owner = await signUp()
    const [creator, leaver] = [await join(owner, "developer"), await join(owner, "developer")]
    const { id } = await createEndpoint(runtime(), creator, ENDPOINT)
    const madeAfter = async (by: UserActor) => {
      await rotateSecret(runtime(), by, { id })
      return (await listCreations(runtime(), owner)).map((each) => each.made).toSorted()
    }
    expect(await madeAfter(owner)).toEqual(["all", "secret"])
    expect(await madeAfter(leaver)).toEqual(["all", "old_secret", "secret"])
    expect(await madeAfter(leaver)).toEqual(["all", "secret"])
    expect(await madeAfter(owner)).toEqual(["all", "old_secret", "secret"])
    await app.pool.query("UPDATE webhook_endpoint SET previous_until = now() - interval '1 s' WHERE account_id = $1", [
      owner.accountId,
    ])
    expect((await listCreations(runtime(), owner)).map((each) => each.made).toSorted()).toEqual(["all", "secret"])
  })

  it("is not an old secret of who is listed for the key or its present secret, nor one after its overlap", async () => {
    const owner = await signUp()
    const [creator, leaver] = [await join(owner, "developer"), await join(owner, "developer")]
    const { id } = await createKey(runtime(), creator, KEY)
    await replaceKey(runtime(), owner, { id, overlapHours: 24 })
    const made = async () => (await listCreations(runtime(), owner)).map((each) => each.made).toSorted()
    expect(await made()).toEqual(["all", "secret"])
    await replaceKey(runtime(), leaver, { id, overlapHours: 24 })
    expect(await made()).toEqual(["all", "old_secret", "secret"])
    await replaceKey(runtime(), leaver, { id, overlapHours: 24 })
    expect(await made()).toEqual(["all", "secret"])
    await replaceKey(runtime(), owner, { id, overlapHours: 24 })
    expect(await made()).toEqual(["all", "old_secret", "secret"])
    await endOldSecret(runtime(), owner, { id })
    expect(await made()).toEqual(["all", "secret"])
  })

  it("is shown to a member without the right to manage members only if it is their own", async () => {
    const owner = await signUp()
    const developer = await join(owner, "developer")
    await createAll(owner)
    expect(await listCreations(runtime(), developer)).toEqual([])
    await createKey(runtime(), developer, KEY)
    expect(await listCreations(runtime(), developer)).toMatchObject([{ kind: "key" }])
  })

  it("and no longer works is not listed", async () => {
    const owner = await signUp()
    await createAll(owner)
    await app.pool.query("UPDATE api_key SET revoked_at = now() WHERE account_id = $1", [owner.accountId])
    await app.pool.query("UPDATE account_token SET expires_at = now() - interval '1 s' WHERE account_id = $1", [
      owner.accountId,
    ])
    expect((await listCreations(runtime(), owner)).map(({ kind }) => kind)).toEqual(["webhook"])
  })

  it("and is paused is listed, because the key can be resumed", async () => {
    const owner = await signUp()
    const leaver = await join(owner, "owner")
    await createAll(leaver)
    await app.pool.query("UPDATE api_key SET paused_at = now() WHERE account_id = $1", [owner.accountId])
    await removeMember(runtime(), owner, { id: usr(leaver) })
    expect(await leftKinds(owner)).toEqual(["key", "token", "webhook"])
  })
})

describe("ending what a person left", () => {
  it("ends all of it at once, with an entry for each, and nothing of others", async () => {
    const owner = await signUp()
    const [leaver, other] = [await join(owner, "owner"), await join(owner, "owner")]
    const [ended, kept] = [await createAll(leaver), await createAll(other)]
    for (const left of [leaver, other]) await removeMember(runtime(), owner, { id: usr(left) })
    expect(await verifyKey(runtime(), ended.key)).toMatchObject({ accountId: owner.accountId })
    expect(await verifyAccountToken(runtime(), ended.token, "")).toMatchObject({ accountId: owner.accountId })
    await endLeft(runtime(), owner, { id: usr(leaver) })
    await expect(verifyKey(runtime(), ended.key)).rejects.toMatchObject({ code: "invalid_api_key" })
    await expect(verifyAccountToken(runtime(), ended.token, "")).rejects.toMatchObject({
      code: "invalid_api_key",
    })
    expect(await verifyKey(runtime(), kept.key)).toMatchObject({ accountId: owner.accountId })
    expect(await listAccountTokens(runtime(), owner)).toMatchObject([{ createdBy: other.email }])
    expect(await listEndpoints(runtime(), owner)).toMatchObject([{ createdBy: other.email }])
    const { rows } = await app.pool.query(
      "SELECT action FROM audit_event WHERE account_id = $1 AND actor = $2 AND action ~ '^(key|token|webhook)' ORDER BY action",
      [owner.accountId, `user:${owner.userId}`],
    )
    expect(rows.map(({ action }) => action)).toEqual(["key.revoke", "token.revoke", "webhook.delete"])
  })

  it("ends nothing when one of them cannot be ended", async () => {
    const owner = await signUp()
    const leaver = await join(owner, "owner")
    await createAll(leaver)
    await removeMember(runtime(), owner, { id: usr(leaver) })
    await app.pool.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
       CREATE TRIGGER refuse BEFORE DELETE ON webhook_endpoint FOR EACH ROW EXECUTE FUNCTION refuse()`,
    )
    await expect(endLeft(runtime(), owner, { id: usr(leaver) })).rejects.toThrow("refused")
    await app.pool.query("DROP FUNCTION refuse CASCADE")
    expect(await leftKinds(owner)).toEqual(["key", "token", "webhook"])
  })

  it("is refused for a member with the right, for other accounts, and to a former owner", async () => {
    const [owner, other] = [await signUp(), await signUp()]
    const [member, leaver] = [await join(owner, "developer"), await join(owner, "owner")]
    await createKey(runtime(), member, KEY)
    await createAll(leaver)
    await removeMember(runtime(), owner, { id: usr(leaver) })
    for (const [actor, id] of [
      [owner, usr(member)],
      [other, usr(leaver)],
      [owner, publicId("usr", newId())],
    ] as const)
      await expect(endLeft(runtime(), actor, { id })).rejects.toMatchObject({
        ...{ code: "not_found", message: "Nothing of this person is left to end." },
      })
    await expect(endLeft(runtime(), leaver, { id: usr(leaver) })).rejects.toMatchObject({ code: "forbidden" })
    expect(await listCreations(runtime(), owner)).toHaveLength(4)
  })
})
