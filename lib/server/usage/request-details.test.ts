import { expect, test } from "vitest"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { insertFastKey } from "@/test/insert-rows"
import { testService } from "@/test/service"
import { ownerOf } from "@/test/sign-up"
import { dropOldUsage } from "./drop-old-usage"
import { findDetails } from "./request-details"

const service = await testService()

const question = { type: "noul", instructions: "Is the parcel late?" }
const body = (state: string, model = ALIAS) => ({ model, state, questions: { zqlate: question } })

/** Returns the headers of the response. */
async function post(token: string, sent: object, headers: Record<string, string> = {}): Promise<Headers> {
  const response = await fetch(`${service.url}/v1/decisions`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(sent),
  })
  await response.arrayBuffer()
  return response.headers
}

/** Returns the id of the request. */
const send = async (...request: Parameters<typeof post>) => (await post(...request)).get("x-request-id") ?? ""

test("an answered request has its tokens by part, its stages and its alias, and nothing of its content", async () => {
  const { token, accountId } = await insertFastKey()
  const id = await send(token, body("The zqparcel has not arrived"))
  const refused = await post(token, body("The zqparcel has not arrived", "none"))
  await runtime().events.flush()
  const owner = ownerOf(accountId)
  const details = await findDetails(runtime(), owner, { id })
  expect(details).toMatchObject({
    alias: ALIAS,
    stateTokens: 7,
    questionTokens: 5,
    retries: 0,
    repeats: null,
    limits: null,
  })
  for (const stage of ["read", "check", "hold", "engine", "capture"] as const)
    expect([stage, details?.stagesMs[stage]]).toEqual([stage, expect.any(Number)])
  expect(await findDetails(runtime(), owner, { id: refused.get("x-request-id") ?? "" })).toMatchObject({
    ...{ alias: null, stateTokens: null, stagesMs: { engine: null, capture: null } },
    // Both requests, unless a second began between them.
    limits: { rate: { counted: Number(refused.get("x-ratelimit-used")) }, keyLimitUsd: null },
  })
  const { rows } = await runtime().pool.query("SELECT to_jsonb(d)::text AS text FROM request_detail d")
  expect(JSON.stringify(rows)).not.toMatch(/zqparcel|zqlate/)
  const other = ownerOf((await insertFastKey()).accountId)
  expect(await findDetails(runtime(), other, { id })).toBeNull()
})

test("a request is probably a retry if its key sent the same size and shape within two minutes, or a header says so", async () => {
  const { token, accountId } = await insertFastKey()
  const other = await insertFastKey()
  const first = await send(token, body("one"))
  const ids = {
    same: await send(token, body("two")),
    longer: await send(token, body("three")),
    otherKey: await send(other.token, body("one")),
    said: await send(token, body("four four"), { "x-stainless-retry-count": "2" }),
  }
  await runtime().events.flush()
  const read = (id: string, account = accountId) => findDetails(runtime(), ownerOf(account), { id })
  expect(await read(first)).toMatchObject({ retries: 0, repeats: null })
  expect(await read(ids.same)).toMatchObject({ retries: 0, repeats: first })
  expect(await read(ids.longer)).toMatchObject({ retries: 0, repeats: null })
  expect(await read(ids.otherKey, other.accountId)).toMatchObject({ repeats: null })
  expect(await read(ids.said)).toMatchObject({ retries: 2, repeats: null })
  await runtime().pool.query(
    "UPDATE request_detail SET id = first_id_at(now() - interval '150 s'), created_at = now() - interval '150 s' WHERE account_id = $1 AND id = (SELECT id FROM request_detail WHERE account_id = $1 ORDER BY id LIMIT 1)",
    [accountId],
  )
  expect(await read(ids.same)).toMatchObject({ repeats: null })
})

test("details are dropped after the retention", async () => {
  const { accountId, keyId } = await insertFastKey()
  const days = runtime().env.RETENTION_DAYS
  await runtime().pool.query(
    `INSERT INTO request_detail (id, account_id, key_id, created_at, retries)
     SELECT first_id_at(at), $1, $2, at, 0 FROM (VALUES (now() - interval '1 day' * $3), (now() - interval '1 day' * ($3 + 2))) AS t(at)`,
    [accountId, keyId, days],
  )
  await dropOldUsage(runtime())
  const { rows } = await runtime().pool.query("SELECT id FROM request_detail WHERE account_id = $1", [accountId])
  expect(rows).toHaveLength(1)
  expect(publicId("req", rows[0]?.id)).toMatch(/^req_/)
})
