import { expect, test } from "vitest"
import { openCatalogue } from "@/lib/server/models/seed-models"
import { ALIAS, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { DAY_MS, dayOf } from "@/lib/shared/time"
import { adminSender, codeOf, operatorToken } from "@/test/admin-api"
import { testRuntime } from "@/test/database"
import { model } from "@/test/own-objects"

const runtime = await testRuntime()
await openCatalogue(runtime)
const { token } = await operatorToken("Deploy")
const send = adminSender(token)
const price = (usd: string) => ({ price_per_million_input_tokens_usd: usd })
const newModel = async () => (await model())[1]

test("a price is set, and only for the version that was read", async () => {
  const path = `/models/${await newModel()}`
  const read = await send("GET", path)
  const headers = { "if-match": read.headers.get("etag") ?? "" }
  expect((await send("PUT", `${path}/price`, { body: price("1.25"), headers })).status).toBe(200)
  expect((await send("GET", path)).body.price_per_million_input_tokens_usd).toBe("1.250000")
  expect(codeOf(await send("PUT", `${path}/price`, { body: price("2"), headers }))).toEqual([
    412,
    "precondition_failed",
  ])
  expect((await send("GET", path)).body.price_per_million_input_tokens_usd).toBe("1.250000")
})

test("limits are set, and those that are left out stay", async () => {
  const path = `/models/${LEXICAL_BASELINE}`
  const before = (await send("GET", path)).body
  expect((await send("PUT", `${path}/limits`, { body: { max_questions: 3 } })).status).toBe(200)
  expect((await send("GET", path)).body).toEqual({ ...before, max_questions: 3 })
})

test("a dry run of a move of the alias moves nothing and queues nothing", async () => {
  const [first, second] = [await newModel(), await newModel()]
  expect((await send("PUT", "/alias", { body: { model: first } })).status).toBe(200)
  const moves = async () =>
    (await runtime.pool.query("SELECT id FROM alias_move UNION ALL SELECT 0 FROM queued_mail")).rows
  const before = await moves()
  const dry = await send("PUT", "/alias?dry_run=1", { body: { model: second } })
  expect(dry).toMatchObject({ status: 200, body: { alias: ALIAS, model: second } })
  expect((await send("GET", "/alias")).body).toEqual({ alias: ALIAS, model: first })
  expect(await moves()).toEqual(before)
  expect(codeOf(await send("PUT", "/alias?dry_run=1", { body: { model: "no-model" } }))).toEqual([400, "invalid_model"])
})

test("a model is retired with its replacement, and the alias's target is not", async () => {
  const [target, old] = [await newModel(), await newModel()]
  await send("PUT", "/alias", { body: { model: target } })
  const body = { replacement_model: LEXICAL_BASELINE }
  expect(codeOf(await send("POST", `/models/${target}/retire`, { body }))).toEqual([400, "invalid_request"])
  expect((await send("POST", `/models/${old}/retire`, { body })).status).toBe(200)
  expect((await send("GET", `/models/${old}`)).body).toMatchObject({ status: "retired", ...body })
})

const versionOfAlias = async () => ({ "if-match": (await send("GET", "/alias")).headers.get("etag") ?? "" })

test("a plan of another program is another version of the alias", async () => {
  const [target, next] = [await newModel(), await newModel()]
  await send("PUT", "/alias", { body: { model: target } })
  const headers = await versionOfAlias()
  const plan = (days: number) =>
    send("PUT", "/alias/plan", { body: { model: next, on: dayOf(new Date(Date.now() + days * DAY_MS)) }, headers })
  expect((await plan(20)).status).toBe(200)
  expect(codeOf(await plan(30))).toEqual([412, "precondition_failed"])
  const { body } = await send("GET", "/alias/plan")
  expect(body.planned).toMatchObject({
    model: next,
    on: dayOf(new Date(Date.now() + 20 * DAY_MS)),
    is_announced: false,
  })
  expect((await send("DELETE", "/alias/plan", { headers: await versionOfAlias() })).status).toBe(200)
  expect((await send("GET", "/alias/plan")).body.planned).toBeNull()
})

const WAITING = `
  SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

test("a move of one version holds no lock of the alias while it waits for the model, like every move", async () => {
  const [target, next] = [await newModel(), await newModel()]
  await send("PUT", "/alias", { body: { model: target } })
  const headers = await versionOfAlias()
  const other = await runtime.pool.connect()
  const waiting = async () => (await runtime.pool.query(WAITING)).rows[0].n
  const lock = "SELECT FROM model WHERE id = $1 FOR UPDATE NOWAIT"
  await other.query("BEGIN")
  await other.query(lock, [next])
  const moving = send("PUT", "/alias", { body: { model: next }, headers })
  try {
    await expect.poll(waiting).toBe(1)
    await other.query(lock, [ALIAS])
  } finally {
    await other.query("ROLLBACK")
    other.release()
  }
  expect((await moving).status).toBe(200)
})
