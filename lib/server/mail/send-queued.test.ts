import { beforeEach, describe, expect, it, onTestFinished } from "vitest"
import type { UserActor } from "@/lib/server/platform/actor"
import { newId } from "@/lib/server/platform/ids"
import { createLog } from "@/lib/server/platform/log"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { signUp } from "@/test/sign-up"
import type { MailMessage } from "./mailer"
import { countQueuedMail, dropOldMail, sendQueuedMail } from "./send-queued"

/** The mailer's `send`, which each test replaces. */
let send: (mail: MailMessage) => Promise<void>
let logged: string[] = []
await testRuntime()
runtime().log = createLog("info", { write: (line) => void logged.push(line) })
runtime().mailer = { send: (mail) => send(mail), check: async () => true }
beforeEach(async () => {
  logged = []
  await runtime().pool.query("DELETE FROM queued_mail")
})

const queue = (actor: UserActor, kind: string, source: string) =>
  runtime().pool.query(
    "INSERT INTO queued_mail (id, account_id, user_id, kind, source, facts) VALUES ($1, $2, $3, $4, $5, $6)",
    [newId(), actor.accountId, actor.userId, kind, source, { balanceUsd: "1", thresholdUsd: "2" }],
  )

describe("a queued mail", () => {
  it("is claimed only when it is sent, so that a slow mail server lets no other server send it too", async () => {
    const actor = await signUp("slow@example.com")
    for (const source of ["a", "b"]) await queue(actor, "balance_low", source)
    const attempts: number[][] = []
    send = async () => {
      const { rows } = await runtime().pool.query<{ attempts: number }>("SELECT attempts FROM queued_mail ORDER BY 1")
      attempts.push(rows.map((row) => row.attempts))
    }
    await sendQueuedMail(runtime())
    expect(attempts).toEqual([
      [0, 1],
      [1, 1],
    ])
  })

  it("takes turns with mails of other accounts, and is ranked together with the rest of its batch", async () => {
    const [busy, quiet] = [await signUp("busy@example.com"), await signUp("quiet@example.com")]
    for (let i = 0; i < 40; i++) await queue(busy, "balance_low", `busy ${i}`)
    await queue(quiet, "balance_low", "quiet")
    const { pool } = runtime()
    const sent: string[] = []
    let rankings = 0
    send = async ({ to }) => void sent.push(to as string)
    const query = (sql: string, values: unknown[]) => {
      if (/row_number/.test(sql)) rankings++
      return pool.query(sql, values)
    }
    Object.assign(runtime(), { pool: { query } })
    onTestFinished(() => void Object.assign(runtime(), { pool }))
    expect(await sendQueuedMail(runtime())).toBe(41)
    expect([sent.length, sent.indexOf("quiet@example.com"), rankings]).toEqual([41, 1, 2])
  })

  it("is sent by one of several servers that rank the same mails", async () => {
    const actor = await signUp("ranked@example.com")
    for (let i = 0; i < 40; i++) await queue(actor, "balance_low", `ranked ${i}`)
    let sent = 0
    send = async () => void sent++
    const tried = await Promise.all([sendQueuedMail(runtime()), sendQueuedMail(runtime()), sendQueuedMail(runtime())])
    expect([sent, tried.reduce((sum, count) => sum + count)]).toEqual([40, 40])
  })

  it("of a kind that only a newer release knows waits for it, and does not stop the others", async () => {
    const actor = await signUp("newer@example.com")
    await queue(actor, "from_a_newer_release", "a")
    await queue(actor, "balance_low", "b")
    const sent: string[] = []
    send = async ({ to }) => void sent.push(to)
    await sendQueuedMail(runtime())
    expect(sent).toEqual(["newer@example.com"])
    expect(await countQueuedMail(runtime())).toEqual({ waiting: 1, givenUp: 0 })
    expect(logged.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 40, event: "mail.queue_failed", reason: "from_a_newer_release" }),
    ])
  })

  it("that cannot be marked as sent is logged, without its address", async () => {
    const actor = await signUp("marked@example.com")
    await queue(actor, "balance_low", "a")
    const { pool } = runtime()
    await pool.query("ALTER TABLE queued_mail ADD CONSTRAINT unsent CHECK (sent_at IS NULL) NOT VALID")
    send = async () => {}
    await sendQueuedMail(runtime())
    await pool.query("ALTER TABLE queued_mail DROP CONSTRAINT unsent")
    expect(await countQueuedMail(runtime())).toEqual({ waiting: 1, givenUp: 0 })
    expect(logged.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ event: "mail.queue_failed", reason: "balance_low" }),
    ])
    expect(logged.join("")).not.toContain("marked@example.com")
  })

  it("that the mail server refuses is logged by the mailer alone", async () => {
    const actor = await signUp("refused@example.com")
    await queue(actor, "balance_low", "a")
    send = async () => Promise.reject(new Error("the mail server refused it"))
    await sendQueuedMail(runtime())
    expect(await countQueuedMail(runtime())).toEqual({ waiting: 1, givenUp: 0 })
    expect(logged).toEqual([])
  })
})

it("mails are dropped 30 days after they were sent or given up, however many there are", async () => {
  const { accountId, userId } = await signUp("kept@example.com")
  const insert = (count: number, createdDaysAgo: number, sentDaysAgo: number | null) =>
    runtime().pool.query(
      `INSERT INTO queued_mail (id, account_id, user_id, kind, source, facts, created_at, sent_at, next_at)
       SELECT gen_random_uuid(), $1, $2, 'balance_low', gen_random_uuid()::text, '{}', now() - $4 * interval '1 day',
         now() - $5::int * interval '1 day', NULL FROM generate_series(1, $3)`,
      [accountId, userId, count, createdDaysAgo, sentDaysAgo],
    )
  await insert(1_500, 31, 31)
  await insert(3, 31, null)
  await insert(5, 31, 29)
  await insert(7, 29, null)
  await dropOldMail(runtime())
  const { rows } = await runtime().pool.query("SELECT FROM queued_mail")
  expect(rows).toHaveLength(12)
})
