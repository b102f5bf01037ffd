import { expect, test } from "vitest"
import { openCatalogue } from "@/lib/server/models/seed-models"
import type { UserActor } from "@/lib/server/platform/actor"
import { newId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { ALL_SCOPES, CONFIRMATIONS, type Scope } from "@/lib/shared/auth/confirmations"
import { insertKey } from "../insert-rows"
import { keepMails } from "../keep-mails"
import { signedInAt, signUp } from "../sign-up"
import { testTopups } from "../topup-fixture"
import { VERBS } from "../verb-register"
import { writingCalls } from "../writing-calls"

const { double } = await testTopups()
await openCatalogue(runtime())
keepMails()

/** Calls that succeed, by verb. */
const CALLS = new Map(writingCalls(double).map(([name, [, call]]) => [name.split(" ")[1] ?? "", call]))

const rows = CONFIRMATIONS as Record<string, { scope: Scope; asks: string } | null>
const confirmable = Object.entries(VERBS).flatMap(([verb, [right, input]]) => {
  const [file = "", name = ""] = verb.split(" ")
  const row = rows[name]
  // Only operators have the rights of the service.
  return row === undefined || right?.startsWith("service.")
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

const unconfirmed = confirmable.filter(({ scope }) => !scope)

const callable = unconfirmed.flatMap(({ verb, file }) => {
  const call = CALLS.get(verb)
  return call ? [{ verb, file, call }] : []
})

test.each(callable)("$verb succeeds without a recent sign-in", async ({ verb, file, call }) => {
  const [actor, ...input] = (await call()) as [UserActor, ...unknown[]]
  const module = await import(/* @vite-ignore */ `../../lib/server/${file}`)
  // Rejects with the verb's error.
  await module[verb](runtime(), { ...actor, confirmedAtMs: signedInAt(0) }, ...input)
})

test.each(unconfirmed.filter(({ verb }) => !CALLS.has(verb)))("$verb asks for no recent sign-in", async (row) => {
  expect(await isRefused(row, {})).toBe(false)
})

test("the table has verbs of three scopes and verbs without one", () => {
  expect(new Set(confirmable.map(({ scope }) => scope))).toEqual(new Set(["spending", "access", "identity", null]))
})
