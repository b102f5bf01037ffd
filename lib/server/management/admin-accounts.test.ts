import { expect, test } from "vitest"
import { createOperatorToken, revokeOperatorToken } from "@/lib/server/accounts/operator-tokens"
import { inviteOperator } from "@/lib/server/auth/operators"
import { OPERATOR, type OperatorActor } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import { adminSender, codeOf, operatorToken } from "@/test/admin-api"
import { testRuntime } from "@/test/database"
import { signUp } from "@/test/sign-up"
import { ADMIN_API } from "./admin-api"
import { answerManagement } from "./answer"

const runtime = await testRuntime({ OPERATOR_EMAILS: "operator@example.com", WELCOME_CREDIT_USD: "1" })
const admin = await signUp("operator@example.com")
const asAdmin: OperatorActor = { ...OPERATOR, userId: admin.userId }
const { token, id: tokenId } = await operatorToken("Deploy", ["service.read", "service.operate"], asAdmin)
const send = adminSender(token)

const auditOf = async (accountId: string) =>
  (await runtime.pool.query("SELECT actor, action FROM audit_event WHERE account_id = $1 ORDER BY id", [accountId]))
    .rows

test("an account is created once, read, listed, and audited with the token", async () => {
  const made = await send("POST", "/accounts", { body: { email: "new@example.com" } })
  expect(made).toMatchObject({ status: 200, body: { email: "new@example.com", balance_usd: "1.000000000000" } })
  const again = await send("POST", "/accounts", { body: { email: "new@example.com" } })
  expect(again.body).toEqual(made.body)
  expect((await send("GET", `/accounts/${made.body.id}`)).body).toEqual(made.body)
  const listed = await send("GET", "/accounts?limit=1")
  expect(listed.body.data).toMatchObject([{ id: made.body.id, email: "new@example.com" }])
  expect((await send("GET", `/accounts?limit=1&after=${listed.body.next}`)).body.data).toMatchObject([
    { email: "operator@example.com" },
  ])
  const { rows } = await runtime.pool.query("SELECT actor FROM audit_event WHERE action = 'account.create' ORDER BY id")
  expect(rows.at(-1)?.actor).toMatch(/^operator_token:[0-9a-f-]{36}$/)
})

test("a dry run of a suspension reports its outcome and changes nothing", async () => {
  const { accountId } = await signUp("dry@example.com")
  const path = `/accounts/${publicId("acc", accountId)}`
  const before = await auditOf(accountId)
  const dry = await send("PUT", `${path}/status?dry_run=1`, { body: { status: "suspended" } })
  expect([dry.body.status, dry.headers.get("dry-run")]).toEqual(["suspended", "1"])
  expect((await send("GET", path)).body.status).toBe("active")
  expect(await auditOf(accountId)).toEqual(before)
  expect((await send("PUT", `${path}/status`, { body: { status: "suspended" } })).body.status).toBe("suspended")
  expect((await send("GET", path)).body.status).toBe("suspended")
  expect((await auditOf(accountId)).at(-1)?.action).toBe("account.suspend")
})

test("a dry run fails as the change would", async () => {
  const dry = await send("PUT", `/accounts/${publicId("acc", admin.accountId)}/status?dry_run=1`, {
    body: { status: "suspended" },
  })
  expect(codeOf(dry)).toEqual([400, "invalid_request"])
})

test("a change of another version than the one that was read is refused", async () => {
  const { accountId } = await signUp("versions@example.com")
  const path = `/accounts/${publicId("acc", accountId)}`
  const etag = (await send("GET", path)).headers.get("etag") ?? ""
  const headers = { "if-match": etag }
  const first = await send("PUT", `${path}/limits`, { body: { requests_per_second: 30 }, headers })
  expect([first.status, first.body.requests_per_second]).toEqual([200, 30])
  const second = await send("PUT", `${path}/limits`, { body: { requests_per_second: 40 }, headers })
  expect(codeOf(second)).toEqual([412, "precondition_failed"])
  expect((await send("GET", path)).body.requests_per_second).toBe(30)
  const third = await send("PUT", `${path}/limits`, {
    body: { requests_per_second: 40 },
    headers: { "if-match": first.headers.get("etag") ?? "" },
  })
  expect([third.status, third.body.requests_per_second]).toEqual([200, 40])
})

test("of two programs that change the same version at once, one is refused", async () => {
  const { accountId } = await signUp("race@example.com")
  const path = `/accounts/${publicId("acc", accountId)}`
  const headers = { "if-match": (await send("GET", path)).headers.get("etag") ?? "" }
  const sent = await Promise.all(
    [31, 32, 33, 34].map((perSecond) =>
      send("PUT", `${path}/limits`, { body: { requests_per_second: perSecond }, headers }),
    ),
  )
  expect(sent.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412])
})

test("a change needs one connection, so that concurrent changes do not wait for each other's second one", async () => {
  const { accountId } = await signUp("one@example.com")
  const path = `/accounts/${publicId("acc", accountId)}`
  const { max } = runtime.pool.options
  const taken = await Promise.all(Array.from({ length: max - 1 }, () => runtime.pool.connect()))
  try {
    expect((await send("PUT", `${path}/limits`, { body: { requests_per_second: 30 } })).status).toBe(200)
    expect((await send("PUT", `${path}/status`, { body: { status: "suspended" } })).status).toBe(200)
  } finally {
    for (const client of taken) client.release()
  }
})

test.each([
  ["GET", "/nothing", undefined, [404, "not_found"]],
  ["DELETE", "/accounts", undefined, [405, "method_not_allowed"]],
  ["GET", "/accounts/acc_00000000000000000000000000", undefined, [404, "not_found"]],
  ["GET", "/accounts?limit=0", undefined, [400, "invalid_request"]],
  ["GET", "/accounts?limit=1&limit=2", undefined, [400, "invalid_request"]],
  ["GET", "/accounts?other=1", undefined, [400, "invalid_request"]],
  ["GET", "/accounts?dry_run=1", undefined, [400, "invalid_request"]],
  ["POST", "/accounts", { email: "no-address" }, [400, "invalid_request"]],
  ["POST", "/accounts", { email: "a@example.com", more: "text" }, [400, "invalid_request"]],
  ["POST", "/accounts", undefined, [400, "invalid_request"]],
  ["GET", "/accounts?search=%00", undefined, [400, "invalid_request"]],
  ["PUT", "/alias", { model: "a\0" }, [400, "invalid_request"]],
])("%s %s is refused in the shape of every error", async (method, path, body, expected) => {
  const refused = await send(method, path, { body })
  expect(codeOf(refused)).toEqual(expected)
  expect(JSON.stringify(refused.body)).not.toMatch(/no-address|"text"/)
})

test("names the methods of a path", async () => {
  expect((await send("DELETE", "/accounts")).headers.get("allow")).toBe("GET, POST, HEAD")
})

test("a body over 64 KiB is refused", async () => {
  expect(codeOf(await send("POST", "/accounts", { body: { email: "a".repeat(65_536) } }))).toEqual([
    413,
    "request_too_large",
  ])
})

test("every route refuses a missing, a foreign and a revoked token, and one without the scope", async () => {
  const revoked = await operatorToken("Old", ["service.operate"], asAdmin)
  await revokeOperatorToken(runtime, asAdmin, { id: revoked.id })
  const narrow = await operatorToken("Narrow", ["service.operate"], asAdmin)
  await runtime.pool.query("UPDATE operator_token SET rights = '{decisions.run}' WHERE name = 'Narrow'")
  for (const { method, path } of ADMIN_API.operations) {
    for (const bearer of ["", "svct_wrong", token.slice(0, -1), revoked.token])
      expect([method, path, ...codeOf(await send(method, path, { bearer }))]).toEqual([
        method,
        path,
        401,
        "invalid_api_key",
      ])
    expect([method, path, ...codeOf(await send(method, path, { bearer: narrow.token }))]).toEqual([
      method,
      path,
      403,
      "forbidden",
    ])
  }
})

test("a token ends with its creator's role, at once", async () => {
  expect((await send("GET", "/accounts")).status).toBe(200)
  const { OPERATOR_EMAILS } = runtime.env
  runtime.env.OPERATOR_EMAILS = new Set()
  expect(codeOf(await send("GET", "/accounts"))).toEqual([401, "invalid_api_key"])
  runtime.env.OPERATOR_EMAILS = OPERATOR_EMAILS
  expect((await send("GET", "/accounts")).status).toBe(200)
})

test("a token keeps only what its creator's role still allows", async () => {
  const invited = await signUp("finance@example.com")
  await inviteOperator(runtime, OPERATOR, { email: invited.email, role: "finance" })
  const { token: narrowed } = await operatorToken("Narrowed", ["service.read", "service.operate"], {
    ...OPERATOR,
    userId: invited.userId,
  })
  const { accountId } = await signUp("kept@example.com")
  const path = `/accounts/${publicId("acc", accountId)}`
  const suspend = () => send("PUT", `${path}/status`, { body: { status: "suspended" }, bearer: narrowed })
  expect((await send("GET", path, { bearer: narrowed })).status).toBe(200)
  expect(codeOf(await suspend())).toEqual([403, "forbidden"])
  await runtime.pool.query("DELETE FROM operator WHERE email = $1", [invited.email])
  expect(codeOf(await send("GET", path, { bearer: narrowed }))).toEqual([401, "invalid_api_key"])
})

test("a token that loses the right while its body arrives creates no account", async () => {
  const invited = await signUp("slow@example.com")
  await inviteOperator(runtime, OPERATOR, { email: invited.email, role: "finance" })
  const { OPERATOR_EMAILS } = runtime.env
  runtime.env.OPERATOR_EMAILS = new Set([...OPERATOR_EMAILS, invited.email])
  const { token: slow } = await operatorToken("Slow", ["service.read", "service.operate"], {
    ...OPERATOR,
    userId: invited.userId,
  })
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        runtime.env.OPERATOR_EMAILS = OPERATOR_EMAILS
        controller.enqueue(new TextEncoder().encode('{"email":"late@example.com"}'))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const request = new Request("http://localhost/api/admin/v1/accounts", {
    ...{ method: "POST", body, duplex: "half" },
    headers: { authorization: `Bearer ${slow}`, "content-type": "application/json" },
  })
  expect((await answerManagement(runtime, ADMIN_API, request)).status).toBe(403)
  expect((await send("GET", "/accounts?search=late@example.com")).body.data).toEqual([])
})

test("a token creates no token", async () => {
  const actor = { ...asAdmin, token: { id: tokenId, rights: ["service.operate"] as const } }
  await expect(
    createOperatorToken(runtime, actor, { name: "Next", rights: ["service.operate"], expiresAt: null }),
  ).rejects.toMatchObject({ code: "forbidden" })
})
