import { describe, expect, it } from "vitest"
import { expectDescribed } from "@/test/contract"
import { startEdge, testService } from "@/test/service"

const CONSOLE = 403
const settings = { BASE_URL: "https://api.example.com" }
await testService(settings)
const { url } = await startEdge("all", (_request, response) => {
  response.writeHead(CONSOLE).end("a page of the console")
})

const JSON_TYPE = { "content-type": "application/json" }
const BEARER = { authorization: "Bearer svcd_any" }

const post = (path: string, headers: Record<string, string>, body = "{}") =>
  fetch(`${url}${path}`, { method: "POST", headers, body })

describe("an address that is one segment off", () => {
  it.each([
    ["/systemone", "POST https://api.example.com/v1/systemone"],
    ["/decisions", "POST https://api.example.com/v1/decisions"],
    ["/v1/v1/decisions", "POST https://api.example.com/v1/decisions"],
    ["/v1/v1/systemone", "POST https://api.example.com/v1/systemone"],
    ["/v1/decisions/", "POST https://api.example.com/v1/decisions"],
    ["/v1/decisions/create", "POST https://api.example.com/v1/decisions"],
    ["/openai/decisions", "POST https://api.example.com/openai/v1/decisions"],
    ["/openai/v1/v1/decisions", "POST https://api.example.com/openai/v1/decisions"],
    ["/v2/decisions", "POST https://api.example.com/v1/decisions"],
    ["/models", "GET https://api.example.com/v1/models"],
  ])("such as %s is a JSON 404 that names %s", async (path, address) => {
    for (const headers of [JSON_TYPE, { ...BEARER, "content-type": "text/plain" }]) {
      const response = await post(path, headers)
      expect([response.status, await response.json()]).toEqual([
        404,
        {
          error: {
            message: `Nothing was found at this address. Use ${address}.`,
            type: "invalid_request_error",
            code: "not_found",
          },
        },
      ])
    }
  })

  it("is the console's for a browser, as is every address that is further off", async () => {
    const form = { "content-type": "text/plain" }
    expect((await post("/decisions", form)).status).toBe(CONSOLE)
    expect((await fetch(`${url}/models`)).status).toBe(CONSOLE)
    for (const path of ["/", "/keys", "/a/b/decisions", "/decision"])
      expect([path, (await post(path, JSON_TYPE)).status]).toEqual([path, CONSOLE])
  })

  it("is not named by a path that no address is near", async () => {
    const response = await post("/v1/nope", JSON_TYPE)
    expect(await response.json()).toMatchObject({ error: { message: "Nothing was found at this address." } })
  })
})

it("finds that no address is near a long path within little processor time", async () => {
  const paths = [`/v1/${"a".repeat(15_000)}/`, "/a".repeat(7_500)]
  const before = process.cpuUsage()
  for (const path of paths) await post(path, JSON_TYPE)
  const { user } = process.cpuUsage(before)
  expect(user).toBeLessThan(500_000)
})

describe("GET /v1/models/{id}", () => {
  it("is the element of the list with this id", async () => {
    const { data } = (await (await fetch(`${url}/v1/models`)).json()) as { data: { id: string }[] }
    expect(data.map(({ id }) => id)).toEqual(["svc-decider-latest", "svc-lexical-baseline-1"])
    for (const entry of data) {
      const response = await fetch(`${url}/v1/models/${entry.id}`)
      expect(response.status).toBe(200)
      expect(await expectDescribed(response, "/v1/models/{id}", "get")).toEqual(entry)
    }
  })

  it("is 404 for another id, and only GET", async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    for (const id of ["no-such-model", "%7Bid%7D", "a%2Fb"]) {
      const response = await fetch(`${url}/v1/models/${id}`)
      expect([id, response.status]).toEqual([id, 404])
      expect(await expectDescribed(response, "/v1/models/{id}", "get")).toMatchObject({ error: { code: "not_found" } })
    }
    expect((await post("/v1/models/x", JSON_TYPE)).status).toBe(405)
  })
})
