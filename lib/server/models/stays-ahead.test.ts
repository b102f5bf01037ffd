import { beforeEach, describe, expect, it, vi } from "vitest"
import { writeNotice } from "@/lib/server/mail/notices"
import { OPERATOR } from "@/lib/server/platform/actor"
import { RELIED_ON_MS } from "@/lib/server/platform/authority"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { DAY_MS } from "@/lib/shared/time"
import { insertFastKey, insertModel } from "@/test/insert-rows"
import { testService } from "@/test/service"
import { ownerOf, signUp } from "@/test/sign-up"
import { stopClock } from "@/test/stop-clock"
import { meanwhile } from "@/test/waits-for-lock"
import { moveAlias } from "./alias"
import { findStay, getStay, setStay } from "./alias-stays"
import { loadCatalogue } from "./load-catalogue"
import { cancelMove, planMove } from "./plan-move"
import { runPlannedMove } from "./planned-moves"
import { announceStayEnds } from "./stay-mails"

const service = await testService({}, { serve: "all" })
const query = async (text: string, values: unknown[] = []) => (await runtime().pool.query(text, values)).rows

const NEXT = "next-1"
const QUESTIONS = { late: { type: "noul", instructions: "Is it late?" } }
const BODY = { model: ALIAS, state: "Where is it?", questions: QUESTIONS }

beforeEach(async () => {
  vi.restoreAllMocks()
  await insertModel(NEXT)
  await query("DELETE FROM alias_stay")
  await query("DELETE FROM alias_move")
  await query("UPDATE model SET target_id = $2 WHERE id = $1", [ALIAS, LEXICAL_BASELINE])
  await query("UPDATE model SET status = 'active', replacement_id = NULL WHERE kind = 'pinned'")
  await moveAlias(runtime(), OPERATOR, { toId: NEXT })
  await loadCatalogue(runtime())
})

const modelOf = async (token: string, body: unknown = BODY): Promise<string> => {
  const response = await service.decide(token, body)
  expect(response.status).toBe(200)
  return (await response.json()).model
}

describe("an account that stays before a planned move", () => {
  const PLANNED = "planned-1"
  const on = new Date(Date.now() + 10 * DAY_MS).toISOString().slice(0, 10)
  const day = new Date(`${on}T00:00:00.000Z`)
  const daysAfter = (days: number, from = day) => new Date(from.getTime() + days * DAY_MS).toISOString()
  const announce = async (moveDay = on) => {
    await planMove(runtime(), OPERATOR, { toId: PLANNED, on: moveDay, noticeDays: 30 })
    await runPlannedMove(runtime())
  }
  beforeEach(async () => {
    await insertModel(PLANNED)
    // Nothing is offered for the last move.
    await query("UPDATE alias_move SET created_at = now() - interval '31 days'")
    await query("DELETE FROM queued_mail")
    await query("DELETE FROM alias_announcement")
    await query("DELETE FROM alias_use")
  })

  it("is answered by the same model before and after the move, until 30 days after it, whenever it is made", async () => {
    const pass = stopClock()
    await announce()
    const { accountId, token } = await insertFastKey()
    const other = await insertFastKey()
    const offer = { model: NEXT, until: daysAfter(30), isAhead: true }
    expect(await getStay(runtime(), ownerOf(accountId))).toEqual({ stay: null, offer })
    await setStay(runtime(), ownerOf(accountId), { stays: true })
    expect(await findStay(runtime(), accountId)).toEqual(offer)
    expect(await modelOf(token)).toBe(NEXT)
    await moveAlias(runtime(), OPERATOR, { toId: PLANNED })
    await loadCatalogue(runtime())
    pass(RELIED_ON_MS)
    expect([await modelOf(token), await modelOf(other.token)]).toEqual([NEXT, PLANNED])
    const [{ created_at: moved }] = await query("SELECT created_at FROM alias_move ORDER BY id DESC LIMIT 1")
    expect(await findStay(runtime(), accountId)).toEqual({ model: NEXT, until: daysAfter(30, moved), isAhead: false })
  })

  it("is offered the model only once the move is announced, and the model before an earlier move first", async () => {
    const { accountId } = await insertFastKey()
    const offer = async () => (await getStay(runtime(), ownerOf(accountId))).offer
    await planMove(runtime(), OPERATOR, { toId: PLANNED, on, noticeDays: 3 })
    await runPlannedMove(runtime())
    expect(await offer()).toBeNull()
    const refused = setStay(runtime(), ownerOf(accountId), { stays: true })
    await expect(refused).rejects.toMatchObject({ code: "invalid_request" })
    await announce()
    expect(await offer()).toMatchObject({ model: NEXT, isAhead: true })
    await query("UPDATE alias_move SET created_at = now() - interval '29 days'")
    expect(await offer()).toMatchObject({ model: LEXICAL_BASELINE, isAhead: false })
  })

  it("follows another day of the plan, and stays nowhere once the plan is cancelled or the account changes its mind", async () => {
    await announce()
    const { accountId } = await insertFastKey()
    const [owner, { accountId: early }] = [ownerOf(accountId), await insertFastKey()]
    await setStay(runtime(), owner, { stays: true })
    await query("INSERT INTO alias_stay VALUES ($1, $2, $3, now() + interval '5 days')", [
      early,
      ALIAS,
      LEXICAL_BASELINE,
    ])
    await announce(daysAfter(5).slice(0, 10))
    expect(await findStay(runtime(), accountId)).toEqual({ model: NEXT, until: daysAfter(35), isAhead: true })
    await setStay(runtime(), owner, { stays: false })
    expect(await findStay(runtime(), accountId)).toBeNull()
    await setStay(runtime(), owner, { stays: true })
    await cancelMove(runtime(), OPERATOR)
    expect(await findStay(runtime(), accountId)).toBeNull()
    expect(await findStay(runtime(), early)).toMatchObject({ model: LEXICAL_BASELINE })
  })

  it("stays when a process of an earlier version makes the move", async () => {
    await announce()
    const { accountId } = await insertFastKey()
    await setStay(runtime(), ownerOf(accountId), { stays: true })
    await query("UPDATE model SET target_id = $2 WHERE id = $1", [ALIAS, PLANNED])
    await query("INSERT INTO alias_move (alias_id, from_id, to_id) VALUES ($1, $2, $3)", [ALIAS, NEXT, PLANNED])
    await runPlannedMove(runtime())
    expect(await findStay(runtime(), accountId)).toEqual({ model: NEXT, until: daysAfter(30), isAhead: false })
  })

  it("chooses nothing for a plan that is cancelled meanwhile", async () => {
    await announce()
    const { accountId } = await insertFastKey()
    const chosen = meanwhile(
      () => setStay(runtime(), ownerOf(accountId), { stays: true }),
      (client) => client.query("SELECT FROM model WHERE id = $1 FOR UPDATE", [ALIAS]),
      (client) => client.query("UPDATE alias_announcement SET ended_at = now() WHERE ended_at IS NULL"),
    )
    await expect(chosen).rejects.toMatchObject({ code: "invalid_request" })
    expect(await findStay(runtime(), accountId)).toBeNull()
  })

  it("is mailed what holds for it when a move is announced and made, and no other account is", async () => {
    const [ahead, earlier, moves] = [await signUp(), await signUp(), await signUp()]
    for (const { accountId } of [ahead, earlier, moves])
      await query("INSERT INTO alias_use VALUES ($1, $2, now())", [ALIAS, accountId])
    const until = daysAfter(5)
    await query("INSERT INTO alias_stay VALUES ($1, $2, $3, $4)", [earlier.accountId, ALIAS, LEXICAL_BASELINE, until])
    await announce()
    await setStay(runtime(), ahead, { stays: true })
    await moveAlias(runtime(), OPERATOR, { toId: PLANNED })
    const stays = async (kind: string) => {
      const rows = await query("SELECT account_id, facts->'stay' AS stay FROM queued_mail WHERE kind = $1", [kind])
      return new Map(rows.map((row) => [row.account_id, row.stay]))
    }
    const stayed = { model: LEXICAL_BASELINE, until, isAhead: false }
    const both = [stayed, null]
    const moving = await stays("alias_moving")
    expect([earlier, ahead, moves].map(({ accountId }) => moving.get(accountId))).toEqual([...both, null])
    const moved = await stays("alias_moved")
    const chosen = { model: NEXT, until: expect.any(String), isAhead: false }
    expect([earlier, ahead, moves].map(({ accountId }) => moved.get(accountId))).toEqual([stayed, chosen, null])
    const to = { consoleUrl: "https://console.example.com", account: null, accountId: earlier.accountId }
    const facts = { alias: ALIAS, from: NEXT, to: PLANNED, stay: { ...stayed, until: "2026-12-31T00:00:00.000Z" } }
    expect(writeNotice("alias_moved", facts, to).intro).toContain(
      `which moved from ${NEXT} to ${PLANNED}. Your account keeps the alias on ${LEXICAL_BASELINE} until`,
    )
  })
})

describe("the end of a stay", () => {
  const mails = () =>
    query("SELECT account_id, facts FROM queued_mail WHERE kind = 'alias_stay_ending' ORDER BY created_at")
  /** Adds a stay that was chosen and ends so many days from now. */
  async function endingIn(days: number, chosen = -20, model = LEXICAL_BASELINE) {
    const actor = await signUp()
    await query(
      `INSERT INTO alias_stay (account_id, alias_id, model_id, until_at, created_at)
       VALUES ($1, $2, $3, now() + $4 * interval '1 day', now() + $5 * interval '1 day')`,
      [actor.accountId, ALIAS, model, days, chosen],
    )
    return actor
  }
  beforeEach(() => query("DELETE FROM queued_mail"))

  it("is mailed once, 7 days before", async () => {
    const { accountId } = await endingIn(7.1)
    await announceStayEnds(runtime())
    expect(await mails()).toEqual([])
    await query("UPDATE alias_stay SET until_at = now() + interval '6.9 days'")
    await Promise.all([announceStayEnds(runtime()), announceStayEnds(runtime())])
    await query("UPDATE queued_mail SET source = source || ':sent'")
    await announceStayEnds(runtime())
    const until = (await findStay(runtime(), accountId))?.until
    const facts = { alias: ALIAS, model: LEXICAL_BASELINE, next: NEXT, until }
    expect(await mails()).toEqual([{ account_id: accountId, facts }])
  })

  it("is mailed again for another stay", async () => {
    const actor = await endingIn(5)
    await announceStayEnds(runtime())
    await setStay(runtime(), actor, { stays: false })
    await setStay(runtime(), actor, { stays: true })
    await query("UPDATE alias_stay SET created_at = now() - interval '24 days', until_at = now() + interval '6 days'")
    await announceStayEnds(runtime())
    expect(await mails()).toHaveLength(2)
  })

  it("is not mailed for one that was chosen in its last 7 days, ended, is to begin, or is on the alias's own model", async () => {
    await endingIn(5, -1)
    await endingIn(-1)
    await endingIn(5, -20, NEXT)
    await endingIn(5)
    await query(
      "UPDATE alias_stay SET is_ahead = true WHERE until_at > now() AND model_id <> $1 AND created_at < now() - interval '2 days'",
      [NEXT],
    )
    await announceStayEnds(runtime())
    expect(await mails()).toEqual([])
  })
})
