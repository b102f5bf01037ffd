import { beforeEach, expect, test } from "vitest"
import { eraseAccount } from "@/lib/server/closing/erase"
import { moveAlias } from "@/lib/server/models/alias"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { retireModel } from "@/lib/server/models/retire-model"
import { openCatalogue } from "@/lib/server/models/seed-models"
import { setPrice } from "@/lib/server/models/set-model"
import { OPERATOR } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { insertModel } from "@/test/insert-rows"
import { signUp } from "@/test/sign-up"
import { dropShadows } from "./drop-shadows"
import { endShadow, startShadow } from "./run-shadow"
import { ShadowFigures } from "./shadow-figures"
import { findOwnShadow, findShadow } from "./shadow-report"

await testRuntime()
await openCatalogue(runtime())
const [first, second] = [await insertModel("candidate-1"), await insertModel("candidate-2")]
const query = async (text: string, values: unknown[] = []) => (await runtime().pool.query(text, values)).rows
const TERMS = { aliasId: ALIAS, toId: first, share: 0.05, until: null, budgetPico: null }
const start = (changes: Partial<Parameters<typeof startShadow>[2]> = {}) =>
  startShadow(runtime(), OPERATOR, { ...TERMS, ...changes })
const find = () => findShadow(runtime(), OPERATOR, { aliasId: ALIAS })
const running = async () => {
  await loadCatalogue(runtime())
  return runtime().catalogue.find(ALIAS)?.shadow ?? null
}
const idOf = async (): Promise<string> => (await running())?.id ?? ""
const waiting = async (): Promise<number> => {
  const [row] = await query(
    "SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
  )
  return row.waiting
}
const day = (inDays: number) => new Date(Date.now() + inDays * 86_400_000).toISOString().slice(0, 10)

beforeEach(async () => {
  await query("DELETE FROM shadow")
  await moveAlias(runtime(), OPERATOR, { toId: LEXICAL_BASELINE })
})

const COMPARED = { type: "noul", options: 2, isChanged: false, distance: 0.25 } as const
const answered = (isChanged: boolean) => ({
  comparisons: [{ ...COMPARED, isChanged }],
  tokens: 10,
  costPico: pico(30n),
  servedMs: 4,
  candidateMs: 8,
})

test("a shadow starts, is replaced and ends", async () => {
  expect(await find()).toBeNull()
  await start()
  expect(await running()).toMatchObject({ toId: first, share: 0.05, budgetPico: null, spentPico: 0n })
  await start({ toId: second, share: 0.07 })
  await start({ toId: second, share: 1 })
  const audited = await query("SELECT detail FROM audit_event WHERE action = 'model.shadow'")
  expect(audited).toContainEqual({ detail: `7% of ${ALIAS}` })
  expect(await running()).toMatchObject({ toId: second, share: 1 })
  await endShadow(runtime(), OPERATOR, { aliasId: ALIAS })
  expect(await running()).toBeNull()
  expect(await find()).toMatchObject({ from: LEXICAL_BASELINE, to: second, endedAt: expect.any(String) })
  await expect(endShadow(runtime(), OPERATOR, { aliasId: ALIAS })).rejects.toMatchObject({ code: "not_found" })
})

test("a move of the alias ends its shadow", async () => {
  await start()
  await moveAlias(runtime(), OPERATOR, { toId: second })
  expect(await running()).toBeNull()
})

test("a shadow ends when its candidate is retired", async () => {
  const candidate = await insertModel("candidate-3")
  await start({ toId: candidate })
  await retireModel(runtime(), OPERATOR, { id: candidate, replacementId: null })
  expect(await running()).toBeNull()
  expect(await find()).toMatchObject({ to: candidate, endedAt: expect.any(String) })
})

test("a shadow ends at the start of its day", async () => {
  await start({ until: day(2) })
  expect(await running()).toMatchObject({ toId: first })
  await query("UPDATE shadow SET until_at = now() - interval '1 second'")
  expect(await running()).toBeNull()
  expect(await find()).toMatchObject({ endedAt: expect.any(String) })
})

test("refuses what cannot be compared or counted", async () => {
  await expect(start({ toId: LEXICAL_BASELINE })).rejects.toMatchObject({ param: "toId" })
  await expect(start({ toId: "unknown-1" })).rejects.toMatchObject({ code: "invalid_model" })
  await expect(start({ aliasId: second })).rejects.toMatchObject({ code: "invalid_model" })
  await expect(start({ until: day(0) })).rejects.toMatchObject({ param: "until" })
  await expect(start({ budgetPico: pico(1n) })).rejects.toMatchObject({ param: "budgetPico" })
  await setPrice(runtime(), OPERATOR, { id: second, pricePico: pico(1n) })
  await start({ toId: second, budgetPico: pico(1n) })
  expect(await running()).toMatchObject({ budgetPico: 1n })
})

test("figures of several processes add up, and each account sees its own", async () => {
  const [ada, ben] = [await signUp(), await signUp()]
  await start()
  const id = await idOf()
  const processes = [new ShadowFigures(), new ShadowFigures()]
  for (const figures of processes) {
    figures.answered(id, ada.accountId, answered(true))
    figures.answered(id, ben.accountId, answered(false))
    figures.failed(id, ben.accountId)
    figures.skipped(id)
  }
  const saved = await Promise.all(processes.map((figures) => figures.save(runtime())))
  expect(saved.flat().map(({ addedPico }) => addedPico)).toEqual([60n, 60n])
  expect(await processes[0]?.save(runtime())).toEqual([])
  expect(await find()).toMatchObject({
    accounts: 2,
    answered: 4,
    failed: 2,
    skipped: 2,
    tokens: 40,
    servedMs: 4,
    candidateMs: 8,
    spentUsd: "0.000000000120",
    questions: [{ type: "noul", options: 2, compared: 4, changed: 2, meanDistance: 0.25 }],
  })
  const own = await findOwnShadow(runtime(), ada, { aliasId: ALIAS })
  expect(own).toMatchObject({ answered: 2, failed: 0, questions: [{ compared: 2, changed: 2 }] })
  expect(own).not.toHaveProperty("skipped")
  expect(own).not.toHaveProperty("accounts")
})

test("states the 95% Wilson interval of the share that changed", async () => {
  const { accountId } = await signUp()
  await start()
  await query("INSERT INTO shadow_question VALUES ($1, $2, 'noul', 2, 100, 10, 5)", [await idOf(), accountId])
  const [row] = (await find())?.questions ?? []
  // 10 of 100, after Wilson (1927): 0.0552 to 0.1744.
  expect([row?.interval.low.toFixed(4), row?.interval.high.toFixed(4)]).toEqual(["0.0552", "0.1744"])
})

test("nothing is saved for a closed account, and what was is dropped", async () => {
  const { accountId } = await signUp()
  await start()
  const id = await idOf()
  const figures = new ShadowFigures()
  figures.answered(id, accountId, answered(true))
  await figures.save(runtime())
  await query("UPDATE account SET status = 'closed' WHERE id = $1", [accountId])
  figures.answered(id, accountId, answered(true))
  await figures.save(runtime())
  expect(await find()).toMatchObject({ answered: 1 })
  await dropShadows(runtime())
  expect(await find()).toMatchObject({ answered: 0, questions: [] })
})

test("an account can be closed while its figures are being saved", async () => {
  const { accountId } = await signUp()
  await start()
  const figures = new ShadowFigures()
  figures.answered(await idOf(), accountId, answered(true))
  await figures.save(runtime())
  await query("UPDATE account SET status = 'closed' WHERE id = $1", [accountId])
  const saving = await runtime().pool.connect()
  await saving.query("BEGIN")
  await saving.query("UPDATE shadow_account SET answered = 2 WHERE account_id = $1", [accountId])
  const erasing = inTransaction(runtime().pool, (client) => eraseAccount(client, accountId))
  await expect.poll(waiting).toBe(1)
  await saving.query("UPDATE shadow_question SET compared = 2 WHERE account_id = $1", [accountId])
  await saving.query("COMMIT")
  saving.release()
  await erasing
  expect(await query("SELECT FROM shadow_question WHERE account_id = $1", [accountId])).toEqual([])
})

test("a shadow is dropped with its figures after the retention time", async () => {
  const { accountId } = await signUp()
  await start({ until: day(2) })
  const figures = new ShadowFigures()
  figures.answered(await idOf(), accountId, answered(true))
  await figures.save(runtime())
  const days = runtime().env.RETENTION_DAYS
  await dropShadows(runtime(), new Date(Date.now() + (days + 1) * 86_400_000))
  expect(await find()).toMatchObject({ answered: 1 })
  await dropShadows(runtime(), new Date(Date.now() + (days + 4) * 86_400_000))
  expect(await find()).toBeNull()
  expect(await query("SELECT FROM shadow_account")).toEqual([])
})
