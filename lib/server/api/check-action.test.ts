import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { expect, test } from "vitest"
import { type ActionPayload, decodablePayloads, malformedPayloads } from "@/test/attacks/action-payloads"
import { checkAction } from "./check-action"

const ID = `60${"a".repeat(40)}`

/** Checks a request to `/models`, whose only action is `ID`. Returns what Next would get. */
async function check({ action, type, body }: Omit<ActionPayload, "name">, url = "/models?q=a", method = "POST") {
  const request = new IncomingMessage(new Socket())
  Object.assign(request, { url, method })
  Object.assign(request.headers, { "content-type": type, ...(action === undefined ? {} : { "next-action": action }) })
  const response = new ServerResponse(request)
  const checked = await checkAction(
    request,
    response,
    Buffer.from(body),
    (path, id) => path === "/models" && id === ID,
  ).catch((error: unknown) => error)
  return { checked, type: request.headers["content-type"], notFound: response.getHeader("x-nextjs-action-not-found") }
}

test.each(malformedPayloads(ID))("an action with $name is refused", async (payload) => {
  expect((await check(payload)).checked).toMatchObject({ status: 400, code: "invalid_request", param: "body" })
})

test.each(decodablePayloads(ID))("an action with $name is passed on with all its fields", async (payload) => {
  const { checked, type } = await check(payload)
  if (!payload.type.startsWith("multipart")) return expect(String(checked)).toBe(payload.body)
  const fields = async (body: unknown, as = "") =>
    Object.fromEntries(
      await new Response(String(body), { headers: { "content-type": as } })
        .formData()
        .then((form) => [...form].map(([name, value]) => [name, String(value)])),
    )
  expect(await fields(checked, type)).toEqual(await fields(payload.body, payload.type))
})

test.each(decodablePayloads(ID))("an action with $name is not found on another page", async (payload) => {
  const { checked, notFound } = await check(payload, "/keys")
  expect(checked).toMatchObject({ status: 404, code: "not_found" })
  expect(notFound).toBe("1")
})

test.each(["", "__proto__", ID.slice(1), `${ID}, ${ID}`, "4".repeat(42)])(
  "the action %j is not found",
  async (action) => {
    const { checked } = await check({ action, type: "text/plain", body: "[]" })
    expect(checked).toMatchObject({ status: 404, code: "not_found" })
  },
)

test.each(decodablePayloads(ID))(
  "an action with $name is not found at the address of a handler or of nothing",
  async (payload) => {
    for (const address of ["/api/auth/signout", "/api/stripe/webhook", "/api/nope", "/usage/requests.csv"])
      expect((await check(payload, address)).checked).toMatchObject({ status: 404, code: "not_found" })
  },
)

const BOUNDARY = "xxBoundaryxx"
const FORM = {
  type: `multipart/form-data; boundary=${BOUNDARY}`,
  body: `--${BOUNDARY}\r\nContent-Disposition: form-data; name="email"\r\n\r\na@example.com\r\n--${BOUNDARY}--\r\n`,
}

test("a form that cannot be decoded is refused at the address of a handler too", async () => {
  const { checked } = await check({ ...FORM, body: "a" }, "/api/auth/signout")
  expect(checked).toMatchObject({ status: 400, code: "invalid_request" })
})

test.each([
  ["a text that is no action", { type: "text/plain", body: "[" }, "/models", "POST"],
  ["a form of a handler", FORM, "/api/auth/signout", "POST"],
  ["another method", { action: "none", type: "text/plain", body: "[" }, "/models", "PUT"],
] as const)("%s is passed on as it is", async (_name, sent, url, method) => {
  expect(String((await check(sent, url, method)).checked)).toBe(sent.body)
})
