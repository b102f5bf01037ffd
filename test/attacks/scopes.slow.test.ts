import { expect, test } from "vitest"
import type { UserActor } from "@/lib/server/platform/actor"
import { newId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { ALL_SCOPES, CONFIRMATIONS, type Scope } from "@/lib/shared/auth/confirmations"
import { insertKey } from "../insert-rows"
import { keepMails } from "../keep-mails"
import { signedInAt, signUp } from "../sign-up"
import { testTopups } from "../topup-fixture"
import { VERBS } from "../verb-register"

await testTopups()
keepMails()

const rows = CONFIRMATIONS as Record<string, { scope: Scope; asks: string } | null>
const confirmable = Object.entries(VERBS).flatMap(([verb, [right, input]]) => {
  const [file = "", name = ""] = verb.split(" ")
  const row = rows[name]
  return row === undefined || right === "service.operate"
    ? []
    : [{ verb: name, file, input, scope: row?.scope ?? null }]
})

/** Calls a verb as a new owner. Returns whether it was refused for lack of a confirmation of this verb. */
async function isRefused(
  { verb, file, input }: (typeof confirmable)[number],
  confirmed: Partial<UserActor["confirmedAtMs"]>,
) {
  const owner = { ...(await signUp()), sessionId: newId(), confirmedAtMs: { ...signedInAt(0), ...confirmed } }
  const { keyId } = await insertKey(owner.accountId)
  // Resuming an active key changes nothing.
  if (verb === "resumeKey") await runtime().pool.query("UPDATE api_key SET paused_at = now() WHERE id = $1", [keyId])
  const key = publicId("key", keyId)
  const { [verb]: call } = await import(/* @vite-ignore */ `../../lib/server/${file}`)
  const error = await Promise.resolve(call(runtime(), owner, input(key))).then(
    async (result) => (result instanceof ReadableStream ? void (await result.cancel()) : undefined),
    (thrown) => thrown,
  )
  if (error?.code === "confirmation_required") expect(error.param).toBe(verb)
  return error?.code === "confirmation_required"
}

const one = (scope: Scope) => ({ [scope]: Date.now() })
const allBut = (scope: Scope | null) =>
  Object.fromEntries(ALL_SCOPES.filter((other) => other !== scope).map((other) => [other, Date.now()]))

test.each(confirmable.filter(({ scope }) => scope))(
  "$verb is opened by the scope $scope, and by no other",
  async (row) => {
    const opening = []
    for (const scope of ALL_SCOPES) if (!(await isRefused(row, one(scope)))) opening.push(scope)
    expect(opening).toEqual([row.scope])
    expect(await isRefused(row, allBut(row.scope))).toBe(true)
    expect(await isRefused(row, { [row.scope as Scope]: Date.now() - 86_400_001 })).toBe(true)
  },
)

test.each(confirmable.filter(({ scope }) => !scope))("$verb needs no recent sign-in", async (row) => {
  expect(await isRefused(row, {})).toBe(false)
})

test("the table has verbs of three scopes and verbs without one", () => {
  expect(new Set(confirmable.map(({ scope }) => scope))).toEqual(new Set(["spending", "access", "identity", null]))
})
