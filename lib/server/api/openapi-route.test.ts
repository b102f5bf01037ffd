import { beforeAll, describe, expect, it } from "vitest"
import { expectDescribed, openApi } from "@/test/contract"
import { type TestService, testService } from "@/test/service"

let service: TestService
beforeAll(async () => {
  service = await testService({ BASE_URL: "https://api.example.com" })
})

describe("GET /openapi.json", () => {
  it("is served where only the API is, with this instance's own address", async () => {
    const response = await fetch(`${service.url}/openapi.json`)
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"])
    expect(await response.json()).toEqual({ ...openApi, servers: [{ url: "https://api.example.com" }] })
  })

  it("refuses other methods", async () => {
    const response = await fetch(`${service.url}/openapi.json`, { method: "POST" })
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET"])
  })
})

it.each([
  ["GET", "/v1/decisions", 405],
  ["POST", "/v1/models", 405],
  ["GET", "/v1/nothing", 404],
])("%s %s is the %i that the document has for everything else", async (method, path, status) => {
  const response = await fetch(`${service.url}${path}`, { method })
  expect(response.status).toBe(status)
  await expectDescribed(response, "/v1/models", "get")
})
