import { describe, expect, it } from "vitest"
import { listAudit } from "@/lib/server/audit/list-audit"
import { eraseUser } from "@/lib/server/closing/erase"
import { isConfirmed, type UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { ALL_SCOPES } from "@/lib/shared/auth/confirmations"
import { query, sessionOf } from "@/test/closing-fixture"
import { testRuntime } from "@/test/database"
import { Authenticator } from "@/test/doubles/authenticator"
import { withPasskey } from "@/test/passkeys"
import { signUp } from "@/test/sign-up"
import { meanwhile } from "@/test/waits-for-lock"
import { actorOfCookies } from "../actor-of-cookies"
import { hashSessionToken, newSessionToken } from "../session-cookie"
import { addPasskey, hasCertificates, startPasskey } from "./add-passkey"
import { confirmByPasskey, startPasskeyConfirmation } from "./confirm-by-passkey"
import { listPasskeys, removePasskey, renamePasskey } from "./own-passkeys"

await testRuntime()

const REFUSED = { code: "invalid_request", message: expect.stringContaining("was not accepted") }

const newUser = async () => sessionOf(await signUp())

/** Opens another session of the user, 25 hours old. Returns a function that reads its actor. */
async function oldSession({ userId }: UserActor) {
  const token = newSessionToken()
  await query(
    `INSERT INTO session (id, token_hash, user_id, created_at, expires_at)
     VALUES (gen_random_uuid(), $1, $2, now() - interval '25 hours', now() + interval '1 day')`,
    [hashSessionToken(token), userId],
  )
  return async () => (await actorOfCookies(runtime(), `svcd-session=${token}`, null)) as UserActor
}

const confirmedOf = (actor: UserActor) => ALL_SCOPES.filter((scope) => isConfirmed(actor, scope))

const mailsOf = async ({ userId }: UserActor) =>
  (await query("SELECT kind FROM queued_mail WHERE user_id = $1 ORDER BY created_at", [userId])).rows.map(
    ({ kind }) => kind,
  )

describe("a user's passkeys", () => {
  it("are added, renamed and removed, with a mail for the first and the last", async () => {
    const user = await newUser()
    const { id } = await withPasskey(user)
    await renamePasskey(runtime(), user, { id, name: "Desk" })
    expect(await listPasskeys(runtime(), user)).toEqual([
      { id, name: "Desk", createdAt: expect.any(String), lastUsedAt: null },
    ])
    await removePasskey(runtime(), user, { id })
    expect(await listPasskeys(runtime(), user)).toEqual([])
    expect(await mailsOf(user)).toEqual(["passkey_added", "passkey_removed"])
    const { lines } = await listAudit(runtime(), user)
    expect(lines.map(({ action }) => action).filter((action) => action.startsWith("passkey."))).toEqual([
      ...["passkey.remove", "passkey.rename", "passkey.add"],
    ])
  })

  it("are not renamed or removed by another user", async () => {
    const user = await newUser()
    const { id } = await withPasskey(user)
    const other = await newUser()
    await expect(renamePasskey(runtime(), other, { id, name: "Mine" })).rejects.toMatchObject({ code: "not_found" })
    await expect(removePasskey(runtime(), other, { id })).rejects.toMatchObject({ code: "not_found" })
    expect(await listPasskeys(runtime(), user)).toHaveLength(1)
  })

  it("need a recent sign-in to be added", async () => {
    const user = await newUser()
    const old = await (await oldSession(user))()
    await expect(startPasskey(runtime(), old)).rejects.toMatchObject({ code: "confirmation_required" })
    const response = new Authenticator().register(await startPasskey(runtime(), user))
    await expect(addPasskey(runtime(), old, { name: "Late", ...response })).rejects.toMatchObject({
      code: "confirmation_required",
    })
  })

  it("are ten at most", async () => {
    const user = await newUser()
    for (let i = 0; i < 10; i++) await withPasskey(user, `Key ${i}`)
    await expect(withPasskey(user, "Key 10")).rejects.toMatchObject({ code: "invalid_request" })
    expect(await listPasskeys(runtime(), user)).toHaveLength(10)
  })
})

describe("a passkey is not added", () => {
  const attempt = async (
    answer: (authenticator: Authenticator, options: { challenge: string }) => ReturnType<Authenticator["register"]>,
  ) => {
    const user = await newUser()
    const response = answer(new Authenticator(), await startPasskey(runtime(), user))
    await expect(addPasskey(runtime(), user, { name: "Laptop", ...response })).rejects.toMatchObject(REFUSED)
    expect(await listPasskeys(runtime(), user)).toEqual([])
  }

  it("from another origin", () => attempt((key, options) => key.register(options, { origin: "http://evil.example" })))
  it("for another site", () => attempt((key, options) => key.register(options, { host: "evil.example" })))
  it("without a check of the user", () => attempt((key, options) => key.register(options, { isVerified: false })))
  it("with certificates, which are not read", () => {
    const object = (statement: [string, string][]) =>
      new Authenticator().register({ challenge: "AAAA" }, {}, new Map(statement)).attestationObject
    expect(
      [[], [["sig", "s"]], [["x5c", "s"]]].map((all) => hasCertificates(object(all as [string, string][]))),
    ).toEqual([false, false, true])
  })
  it("with another challenge", () => attempt((key) => key.register({ challenge: "AAAA" })))

  it("twice with one response, or with a challenge of another session", async () => {
    const user = await newUser()
    const first = new Authenticator().register(await startPasskey(runtime(), user))
    await addPasskey(runtime(), user, { name: "First", ...first })
    await expect(addPasskey(runtime(), user, { name: "Again", ...first })).rejects.toMatchObject(REFUSED)
    const own = await startPasskey(runtime(), user)
    const second = await sessionOf(user)
    await startPasskey(runtime(), second)
    const stolen = new Authenticator().register(own)
    await expect(addPasskey(runtime(), second, { name: "Stolen", ...stolen })).rejects.toMatchObject(REFUSED)
  })

  it("for a second user", async () => {
    const { authenticator } = await withPasskey(await newUser())
    const other = await newUser()
    const response = authenticator.register(await startPasskey(runtime(), other))
    await expect(addPasskey(runtime(), other, { name: "Shared", ...response })).rejects.toMatchObject({
      code: "invalid_request",
    })
  })
})

const VERB = "createAccountToken"

/** Returns a user with a passkey, and a session of the user that is 25 hours old. */
async function prepared() {
  const user = await newUser()
  const added = await withPasskey(user)
  const read = await oldSession(user)
  const old = await read()
  const start = () => startPasskeyConfirmation(runtime(), old, { verb: VERB })
  return { ...added, user, old, read, start }
}

describe("a passkey confirms", () => {
  it("exactly the scope that was asked for, in the session that asked, once", async () => {
    const { authenticator, user, old, read, start } = await prepared()
    const other = await oldSession(user)
    expect(confirmedOf(old)).toEqual([])
    const response = { verb: VERB, ...authenticator.confirm(await start()) } as const
    expect(await confirmByPasskey(runtime(), old, response)).toEqual({ confirmed: true })
    expect(confirmedOf(await read())).toEqual(["access"])
    expect(confirmedOf(await other())).toEqual([])
    await query("UPDATE session SET access_confirmed_at = NULL")
    await expect(confirmByPasskey(runtime(), old, response)).rejects.toMatchObject(REFUSED)
    expect(confirmedOf(await read())).toEqual([])
    const { lines } = await listAudit(runtime(), user)
    expect(lines.find(({ action }) => action === "session.confirm_passkey")?.detail).toBe("access")
    expect((await listPasskeys(runtime(), user))[0]?.lastUsedAt).not.toBeNull()
  })

  it("the operator's area only if it was added in a session that could open it", async () => {
    const user = await newUser()
    const read = await oldSession(user)
    const old = await read()
    // As after a mail that named the scope `identity`, and after a sign-in with the OpenID provider.
    const { authenticator } = await withPasskey({ ...user, confirmedAtMs: { ...user.confirmedAtMs, operator: 0 } })
    const start = () => startPasskeyConfirmation(runtime(), old, { verb: "operate" })
    await expect(start()).rejects.toMatchObject({ code: "invalid_request" })
    const { authenticator: proven } = await withPasskey(user, "Proven")
    const signed = { verb: "operate", ...authenticator.confirm(await start()) } as const
    await expect(confirmByPasskey(runtime(), old, signed)).rejects.toMatchObject(REFUSED)
    expect(confirmedOf(await read())).toEqual([])
    await confirmByPasskey(runtime(), old, { verb: "operate", ...proven.confirm(await start()) })
    expect(confirmedOf(await read())).toEqual(["operator"])
  })

  it("nothing for a user who has none", async () => {
    const user = await newUser()
    await expect(startPasskeyConfirmation(runtime(), user, { verb: VERB })).rejects.toMatchObject({
      code: "invalid_request",
    })
  })
})

describe("a passkey confirms nothing", () => {
  type Prepared = Awaited<ReturnType<typeof prepared>>
  const refused = async (attack: (given: Prepared) => Promise<unknown>) => {
    const given = await prepared()
    await expect(attack(given)).rejects.toMatchObject(REFUSED)
    expect(confirmedOf(await given.read())).toEqual([])
  }

  it("from another origin, for another site, or without a check of the user", async () => {
    for (const claims of [{ origin: "https://localhost:3000" }, { host: "evil.example" }, { isVerified: false }])
      await refused(async ({ authenticator, old, start }) =>
        confirmByPasskey(runtime(), old, { verb: VERB, ...authenticator.confirm(await start(), claims) }),
      )
  })

  it("in another scope than its challenge's", () =>
    refused(async ({ authenticator, old, start }) => {
      const response = authenticator.confirm(await start())
      await startPasskeyConfirmation(runtime(), old, { verb: "deleteUser" })
      return confirmByPasskey(runtime(), old, { verb: "deleteUser", ...response })
    }))

  it("with the challenge of another session", () =>
    refused(async ({ authenticator, user, old, start }) => {
      await start()
      const elsewhere = await (await oldSession(user))()
      const options = await startPasskeyConfirmation(runtime(), elsewhere, { verb: VERB })
      return confirmByPasskey(runtime(), old, { verb: VERB, ...authenticator.confirm(options) })
    }))

  it("with the passkey of another user", () =>
    refused(async ({ old, start }) => {
      const { authenticator } = await withPasskey(await newUser())
      return confirmByPasskey(runtime(), old, { verb: VERB, ...authenticator.confirm(await start()) })
    }))

  it("with the signature of another passkey under its own id", () =>
    refused(async ({ authenticator, old, start }) => {
      const forged = new Authenticator().confirm(await start())
      return confirmByPasskey(runtime(), old, { verb: VERB, ...forged, id: authenticator.id })
    }))

  it("after five minutes", () =>
    refused(async ({ authenticator, old, start }) => {
      const response = authenticator.confirm(await start())
      await query("UPDATE passkey_challenge SET expires_at = now() - interval '1 second'")
      return confirmByPasskey(runtime(), old, { verb: VERB, ...response })
    }))

  it("after it was removed", () =>
    refused(async ({ authenticator, id, user, old, start }) => {
      const response = authenticator.confirm(await start())
      await withPasskey(user)
      await removePasskey(runtime(), user, { id })
      return confirmByPasskey(runtime(), old, { verb: VERB, ...response })
    }))

  it("when its counter goes back", () =>
    refused(async ({ authenticator, old, start }) => {
      authenticator.counter = 7
      const first = authenticator.confirm(await start())
      await confirmByPasskey(runtime(), old, { verb: VERB, ...first })
      await query("UPDATE session SET access_confirmed_at = NULL")
      authenticator.counter = 6
      return confirmByPasskey(runtime(), old, { verb: VERB, ...authenticator.confirm(await start()) })
    }))

  it("when the challenge was used in a failed attempt", () =>
    refused(async ({ authenticator, old, start }) => {
      const options = await start()
      const wrong = authenticator.confirm(options, { origin: "https://evil.example" })
      await confirmByPasskey(runtime(), old, { verb: VERB, ...wrong }).catch(() => null)
      return confirmByPasskey(runtime(), old, { verb: VERB, ...authenticator.confirm(options) })
    }))

  it("for a user who is deleted meanwhile, and neither ends in a deadlock", async () => {
    const { authenticator, user, old, start } = await prepared()
    const response = { verb: VERB, ...authenticator.confirm(await start()) } as const
    const confirming = meanwhile(
      () => confirmByPasskey(runtime(), old, response),
      async (client) => {
        await client.query("SELECT FROM app_user WHERE id = $1 FOR UPDATE", [user.userId])
        await client.query("DELETE FROM session WHERE user_id = $1", [user.userId])
      },
      (client) => eraseUser(runtime(), client, user),
    )
    await expect(confirming).rejects.toMatchObject({ code: "signed_out" })
    expect(await listPasskeys(runtime(), user)).toEqual([])
  })

  it("in a session that has ended", async () => {
    const { authenticator, old, start } = await prepared()
    const response = authenticator.confirm(await start())
    await query("DELETE FROM session WHERE id = $1", [old.sessionId])
    await expect(confirmByPasskey(runtime(), old, { verb: VERB, ...response })).rejects.toMatchObject({
      code: "signed_out",
    })
  })
})
