import { ONE_QUESTION } from "./support/requests"
import { expect, test } from "./support/test"

const REQUEST_ID = /^req_[0-9a-z]{26}$/

interface Sending {
  body?: object
  headers?: Record<string, string>
}

test("a program creates an account, a credit and a key through the built service, and suspends the account", async ({
  service,
}) => {
  const scopes = "service.read,service.finance,service.operate,keys.manage"
  const made = await service.operator<{ id: string; token: string }>("token", "create", "CI", "--scope", scopes)
  const send = async (method: string, path: string, { body, headers }: Sending = {}) => {
    const response = await fetch(`${service.url}/api/admin/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${made.token}`,
        ...(body ? { "content-type": "application/json" } : {}),
        ...headers,
      },
      body: body ? JSON.stringify(body) : null,
    })
    const text = await response.text()
    expect([method, path, response.headers.get("x-request-id")]).toEqual([
      method,
      path,
      expect.stringMatching(REQUEST_ID),
    ])
    expect(response.headers.get("cache-control")).toContain("no-store")
    return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) }
  }

  const account = await send("POST", "/accounts", { body: { email: "program@example.com" } })
  expect(account).toMatchObject({ status: 200, body: { email: "program@example.com", status: "active" } })
  const path = `/accounts/${account.body.id}`
  const credit = { kind: "credit", amount_usd: "5", note: "Start", reference: "start" }
  const dry = await send("POST", `${path}/credits?dry_run=1`, { body: credit })
  expect([dry.status, dry.headers.get("dry-run")]).toEqual([200, "1"])
  expect((await send("POST", `${path}/credits`, { body: credit })).body.booked).toBe(true)
  expect((await send("POST", `${path}/credits`, { body: credit })).body.booked).toBe(false)

  const create = () =>
    send("POST", `${path}/keys`, { body: { name: "CI" }, headers: { "idempotency-key": "first-key" } })
  const [key, repeated] = [await create(), await create()]
  expect([repeated.body.id, repeated.body.key, repeated.headers.get("idempotent-replayed")]).toEqual([
    key.body.id,
    null,
    "true",
  ])
  expect((await service.decide(key.body.key, ONE_QUESTION)).status).toBe(200)

  const etag = (await send("GET", path)).headers.get("etag") ?? ""
  const change = { body: { status: "suspended" }, headers: { "if-match": etag } }
  expect((await send("PUT", `${path}/status`, change)).status).toBe(200)
  expect(await send("PUT", `${path}/status`, change)).toMatchObject({ status: 412 })
  await expect.poll(async () => (await service.decide(key.body.key, ONE_QUESTION)).status).toBe(401)

  expect(await send("HEAD", path)).toMatchObject({ status: 200, body: null })
  const other = await send("PATCH", path)
  expect([other.status, other.headers.get("allow")]).toEqual([405, "GET, HEAD"])
  expect((await send("GET", "/nothing")).status).toBe(404)
  expect((await send("GET", "/models/own.v2")).body.error.code).toBe("invalid_model")
  expect((await send("GET", path, { headers: { authorization: "Bearer svca_wrong" } })).status).toBe(401)

  await service.operator("token", "revoke", made.id)
  expect((await send("GET", path)).status).toBe(401)
})
