import { build } from "esbuild"
import { describe, expect, it } from "vitest"
import { errorTable } from "@/lib/shared/errors"
import { accountApi, componentSchema, describedResponses, faultsOf, openApi } from "@/test/contract"
import { accountDocument } from "./account-document"
import { openApiDocument } from "./document"

describe("public/openapi.json", () => {
  it("is made from the schemas (npm run openapi updates it)", () => {
    expect(openApi).toEqual(JSON.parse(JSON.stringify(openApiDocument())))
    expect(accountApi).toEqual(JSON.parse(JSON.stringify(accountDocument())))
  })

  it("is OpenAPI 3.1 of both endpoints and the dialects, version 1.0.0", () => {
    expect(openApi.openapi).toBe("3.1.1")
    expect(openApi.info.version).toBe("1.0.0")
    expect(Object.entries(openApi.paths).map(([path, methods]) => [path, Object.keys(methods)])).toEqual([
      ["/v1/decisions", ["post"]],
      ["/v1/systemone", ["post"]],
      ["/v1/systemone/batch", ["post"]],
      ["/v1/outcomes", ["post"]],
      ["/v1/models", ["get"]],
      ["/v1/models/{id}", ["get"]],
      ["/api/alpha/decisions", ["post"]],
      ["/api/v1/systemone", ["post"]],
      ["/api/v1/decisions", ["post"]],
      ["/api/v1/models", ["get"]],
      ["/api/v1/key", ["get"]],
      ["/openai/v1/decisions", ["post"]],
      ["/openai/v1/models", ["get"]],
      ["/openai/v1/models/{id}", ["get"]],
    ])
  })

  it("describes /v1/systemone with a wider request than /v1/decisions and a second form of errors", () => {
    const { "/v1/decisions": decisions, "/v1/systemone": systemOne } = openApi.paths
    const { operationId, responses, requestBody } = systemOne?.post ?? {}
    expect(operationId).toBe("createSystemOneDecision")
    expect(responses?.["200"]?.headers).toEqual(decisions?.post?.responses["200"]?.headers)
    expect(responses?.["200"]?.content["application/json"].schema).toEqual({
      $ref: "#/components/schemas/SystemOneResponse",
    })
    expect(requestBody?.content["application/json"].schema).toEqual({ $ref: "#/components/schemas/SystemOneRequest" })
    expect(responses?.["400"]?.content["application/json"].schema).toEqual({
      $ref: "#/components/schemas/SystemOneError",
    })
  })

  it.each([
    ["/v1/decisions", ["200", "400", "401", "402", "410", "413", "429", "500", "502", "503", "504", "default"]],
    ["/v1/systemone", ["200", "400", "401", "402", "410", "413", "429", "500", "502", "503", "504", "default"]],
    ["/v1/systemone/batch", ["200", "400", "401", "402", "410", "413", "429", "500", "502", "503", "504", "default"]],
    ["/v1/outcomes", ["200", "400", "401", "413", "429", "500", "default"]],
    ["/v1/models", ["200", "429", "500", "503", "default"]],
    ["/v1/models/{id}", ["200", "404", "429", "500", "503", "default"]],
    ["/api/alpha/decisions", ["200", "400", "401", "402", "410", "413", "429", "500", "502", "503", "504", "default"]],
    ["/api/v1/key", ["200", "401", "429", "500", "default"]],
    ["/openai/v1/decisions", ["200", "400", "401", "402", "410", "413", "429", "500", "502", "503", "504", "default"]],
    ["/openai/v1/models/{id}", ["200", "401", "404", "429", "500", "503", "default"]],
  ])("describes every status of %s", (path, statuses) => {
    expect(describedResponses.filter((response) => response.path === path).map(({ status }) => status)).toEqual(
      statuses,
    )
  })

  it("has a schema for the body of every error of the API", () => {
    const codes = Object.keys(errorTable).filter(
      (code) =>
        !["signed_out", "confirmation_required", "account_switched", "precondition_failed", "forbidden"].includes(code),
    )
    const shown = JSON.stringify(openApi.components.schemas)
    expect(codes.filter((code) => !shown.includes(`"const":"${code}"`))).toEqual([])
  })

  // A response of JSON Lines is described as text.
  it.each(describedResponses.filter(({ described }) => "application/json" in described.content))(
    "$method $path: each example of $status is valid under its own schema",
    ({ described, document }) => {
      const { schema, example, examples = {} } = described.content["application/json"]
      const values = [...(example ? [example] : []), ...Object.values(examples).map(({ value }) => value)]
      expect(values.flatMap((value) => faultsOf(schema, value, document))).toEqual([])
    },
  )

  it("has a request example that is valid", () => {
    const content = openApi.paths["/v1/decisions"]?.post?.requestBody?.content["application/json"]
    expect(componentSchema("DecisionRequest")(content?.example)).toBe(true)
  })
})

describe("the document says", () => {
  const text = JSON.stringify(openApi)
  it.each([
    "28 MiB",
    "29360128 bytes",
    "10 requests per second per key and 20 per account",
    "windows of one second",
    "5 requests per second per client address",
    "`svc-decider-4b-v1-1-api-1`: 16,384",
    "`svc-decider-latest` is the alias",
    "About 90 seconds",
    "for more than 120",
    "No error is charged",
    "never 422",
    "Without an `Idempotency-Key`, the same request again is a new request",
    "the same bytes are charged once within 24 hours",
    "starts with `svcd_`",
  ])("the number or rule: %s", (rule) => {
    expect(text.toLowerCase()).toContain(rule.toLowerCase())
  })

  it.each([
    "Give your client 130",
    "Retry 429 after `Retry-After` seconds, and 500, 502, 503, 504 with exponential backoff and jitter",
    "Do not retry 400, 401, 402, 410, 413 unchanged",
    "record the `model` of each response",
    "Read limits and prices from here",
    "at least 2 are advised",
    "A 504 without a JSON body is the same condition",
  ])("the advice: %s", (advice) => {
    expect(text).toContain(advice)
  })

  it("the ceilings", () => {
    const { DecisionRequest, ChoiceQuestion, ScoreQuestion } = openApi.components.schemas
    expect(DecisionRequest).toMatchObject({
      properties: {
        questions: { minProperties: 1, maxProperties: 128, propertyNames: { pattern: "^[A-Za-z0-9_-]{1,64}$" } },
      },
    })
    expect(ChoiceQuestion).toMatchObject({
      properties: {
        criteria: { minProperties: 1, maxProperties: 255, propertyNames: { minLength: 1, maxLength: 128 } },
      },
    })
    expect(ScoreQuestion).toMatchObject({ properties: { criteria: { minItems: 1, maxItems: 10 } } })
  })

  it("the names of questions on /v1/systemone, without control characters", () => {
    const names = { minLength: 1, maxLength: 256, pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]*$" }
    const { SystemOneRequest, SystemOneBatchRequest, SystemOneResponse } = openApi.components.schemas
    expect(SystemOneRequest).toMatchObject({ properties: { questions: { propertyNames: names } } })
    expect(SystemOneBatchRequest).toMatchObject({ properties: { questions: { propertyNames: names } } })
    expect(SystemOneResponse).toMatchObject({ properties: { answers: { propertyNames: names } } })
  })
})

it("the server bundles neither the schemas nor components nor statistics but those of alarms, with any question type", async () => {
  const { metafile } = await build({
    entryPoints: ["server.ts"],
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "silent",
  })
  const UNUSED =
    /^lib\/server\/api\/openapi\/|^questions\/question-schemas|^lib\/shared\/(statistics|evaluate)\/|\.tsx$/
  const OF_ALARMS = /\/statistics\/(calibration-watch|e-process|error-watch)\.ts$/
  const files = Object.keys(metafile.inputs)
  expect(files).toContain("questions/question-types.ts")
  expect(files.filter((file) => UNUSED.test(file) && !OF_ALARMS.test(file))).toEqual([])
})
