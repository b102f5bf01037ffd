import { describe, expect, test } from "vitest"
import { createKey } from "@/lib/server/keys/create-key"
import { replaceKey } from "@/lib/server/keys/replace-key"
import { changeRole, removeMember } from "@/lib/server/members/change-members"
import { endLeft, listCreations } from "@/lib/server/members/creations"
import { openCatalogue } from "@/lib/server/models/seed-models"
import type { UserActor } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { createEndpoint, rotateSecret } from "@/lib/server/webhooks/endpoints"
import { query } from "../closing-fixture"
import { keepMails } from "../keep-mails"
import { newOwner, testTopups } from "../topup-fixture"
import { VERBS } from "../verb-register"
import { writingCalls } from "../writing-calls"

const { double } = await testTopups()
await openCatalogue(runtime())
keepMails()

/** What a verb can add to an account that works without the person who added it, and the prefix of its public id. */
const LISTED: Record<string, "key" | "tok" | "whe"> = { api_key: "key", account_token: "tok", webhook_endpoint: "whe" }

/** What ends with the right of the person who added it. SQL says which rows still work. */
const ENDED: Record<string, string> = {
  auto_topup: "state <> 'off'",
  invitation: "revoked_at IS NULL AND accepted_at IS NULL",
  saved_card: "removed_at IS NULL",
}

/** Records, which let nobody do anything. A waiting change of address and a passkey belong to the user, and a message to its webhook. */
const RECORDS = [
  "alias_stay",
  "audit_event",
  "billing_details",
  "budget",
  "email_change",
  "invitation_mail",
  "key_rules",
  "outcome",
  "outcome_alarm",
  "outcome_switch",
  "passkey",
  "queued_mail",
  "shadow_refusal",
  "topup",
  "webhook_delivery",
]

/** Every table whose rows name an account, or only a user. */
const { rows: tables } = await query(
  `SELECT relname AS name, min(attname) AS owner FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
   WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
     AND attname IN ('account_id', 'user_id') GROUP BY relname`,
)

interface FoundRow {
  table: string
  id: string
}

/** Returns the rows of the account and the user by table, id and secret: one with another secret is another row. */
async function rowsOf({ accountId, userId }: UserActor): Promise<Map<string, FoundRow>> {
  const parts = tables.map(
    ({ name, owner }) =>
      `SELECT '${name}' AS table, coalesce(to_jsonb(t)->>'id', to_jsonb(t)->>'user_id') AS id,
        coalesce(to_jsonb(t)->>'secret', to_jsonb(t)->>'secret_sha256') AS secret FROM ${name} t WHERE ${owner} = ANY ($1)`,
  )
  const { rows } = await query(parts.join(" UNION "), [[accountId, userId]])
  return new Map(rows.map((row) => [JSON.stringify(row), row]))
}

/** Returns the tables of `ENDED` that have a row of the account which still works. */
async function workingOf({ accountId }: UserActor): Promise<string[]> {
  const parts = Object.entries(ENDED).map(
    ([table, works]) => `SELECT DISTINCT '${table}' AS table FROM ${table} WHERE account_id = $1 AND ${works}`,
  )
  return (await query(parts.join(" UNION "), [accountId])).rows.map(({ table }) => table)
}

/** Makes another owner in the actor's account, who can remove the actor. */
async function keeperOf({ accountId }: UserActor): Promise<UserActor> {
  const keeper = await newOwner()
  await query("INSERT INTO member (account_id, user_id, role) VALUES ($1, $2, 'owner')", [accountId, keeper.userId])
  return { ...keeper, accountId }
}

const isMember = async ({ accountId, userId }: UserActor): Promise<boolean> =>
  (await query("SELECT FROM member WHERE account_id = $1 AND user_id = $2", [accountId, userId])).rowCount === 1

/** Every verb that writes and that a member may call. Only operators have the rights of the service. */
const CALLS = writingCalls(double).flatMap(([name, [, call]]) =>
  VERBS[name]?.[0]?.startsWith("service.") ? [] : [[name, call] as const],
)

/** Makes the keeper the creator of what the actor created, so that the actor is listed only for what happens afterwards. */
async function giveAllTo(keeper: UserActor, { accountId, userId }: UserActor): Promise<void> {
  for (const table of Object.keys(LISTED))
    await query(`UPDATE ${table} SET created_by = $3 WHERE account_id = $1 AND created_by = $2`, [
      accountId,
      userId,
      keeper.userId,
    ])
}

const ENDS: Record<string, (keeper: UserActor, id: string) => Promise<unknown>> = {
  removed: (keeper, id) => removeMember(runtime(), keeper, { id }),
  "made a developer": (keeper, id) => changeRole(runtime(), keeper, { id, role: "developer" }),
  "made a viewer": (keeper, id) => changeRole(runtime(), keeper, { id, role: "viewer" }),
}

/** What replaces a secret whose predecessor works on for a while, by its table. */
const REPLACEMENTS: Record<string, (actor: UserActor, id: string) => Promise<unknown>> = {
  api_key: (actor, id) => replaceKey(runtime(), actor, { id, overlapHours: 24 }),
  webhook_endpoint: (actor, id) => rotateSecret(runtime(), actor, { id }),
}

const CREATED: Record<string, (actor: UserActor) => Promise<{ id: string }>> = {
  api_key: (actor) => createKey(runtime(), actor, { name: "CI", limit: null, expiresAt: null }),
  webhook_endpoint: (actor) =>
    createEndpoint(runtime(), actor, { url: "https://hooks.example.com/", events: ["balance.low"] }),
}

describe("the secret of a member who left", () => {
  test("is kept beside its successor in no other table", async () => {
    const { rows } = await query(
      `SELECT DISTINCT relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
       WHERE relnamespace = 'public'::regnamespace AND attname ~ '^previous_(secret|sha256)$' AND relkind = 'r' ORDER BY relname`,
    )
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(REPLACEMENTS))
  })

  test.each(Object.entries(REPLACEMENTS))(
    "is listed while it works beside its successor: %s",
    async (table, replace) => {
      const keeper = await newOwner()
      const leaver = await keeperOf(keeper)
      const created = await CREATED[table]?.(keeper)
      const id = created?.id ?? ""
      for (const by of [leaver, keeper]) await replace(by, id)
      const userId = publicId("usr", leaver.userId)
      await removeMember(runtime(), keeper, { id: userId })
      const left = async () => (await listCreations(runtime(), keeper)).filter(({ isLeft }) => isLeft)
      expect(await left()).toMatchObject([{ id, made: "old_secret" }])
      await endLeft(runtime(), keeper, { id: userId })
      expect(await left()).toEqual([])
    },
  )
})

describe.each(Object.entries(ENDS))("what a member who is %s", (_end, end) => {
  const added = new Set<string>()

  test.each(CALLS)(
    "added, or whose secret was replaced, by %s is listed for the owners or has ended",
    async (name, call) => {
      const [actor, ...input] = (await call()) as [UserActor, ...unknown[]]
      const [keeper, userId] = [await keeperOf(actor), publicId("usr", actor.userId)]
      await giveAllTo(keeper, actor)
      const before = await rowsOf(actor)
      const [file, verb = ""] = name.split(" ")
      const module = await import(/* @vite-ignore */ `../../lib/server/${file}`)
      const result = await module[verb](runtime(), actor, ...input)
      if (result instanceof ReadableStream) await result.cancel()
      await double.idle()
      const fresh = [...(await rowsOf(actor))].flatMap(([key, row]) => (before.has(key) ? [] : [row]))
      for (const table of [...fresh.map((row) => row.table), ...(await workingOf(actor))]) added.add(table)
      if (await isMember(actor)) await end(keeper, userId)

      expect(await workingOf(actor)).toEqual([])
      const left = (await listCreations(runtime(), keeper)).filter(({ createdBy }) => createdBy.id === userId)
      for (const { table, id } of fresh) {
        const prefix = LISTED[table]
        if (prefix) expect(left).toContainEqual(expect.objectContaining({ id: publicId(prefix, id), isLeft: true }))
        else expect([...Object.keys(ENDED), ...RECORDS]).toContain(table)
      }
      if (left.length === 0) return
      await endLeft(runtime(), keeper, { id: userId })
      expect((await listCreations(runtime(), keeper)).filter(({ isLeft }) => isLeft)).toEqual([])
    },
  )

  test("added is of every kind that is checked here", () => {
    expect([...added].toSorted()).toEqual([...Object.keys(LISTED), ...Object.keys(ENDED), ...RECORDS].toSorted())
  })
})
