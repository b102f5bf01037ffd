import { afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { moveAlias } from "@/lib/server/models/alias"
import type { ModelEntry } from "@/lib/server/models/catalogue"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { retireModel } from "@/lib/server/models/retire-model"
import { setLimits, setPrice } from "@/lib/server/models/set-model"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { expectDescribed, openApi } from "@/test/contract"
import { insertEngineModel, insertPayer } from "@/test/insert-rows"
import { testService } from "@/test/service"

const QUESTIONS = { q: { type: "noul", instructions: "Is it?" } }

const service = await testService({ BASE_URL: "https://api.example.com" })
afterEach(() => {
  vi.restoreAllMocks()
})

/** `GET /v1/models` as the document describes it, whatever the client sent before. */
async function list(path = "/v1/models", init: RequestInit = {}): Promise<Response> {
  vi.spyOn(runtime().rates, "countAddress").mockReturnValue(true)
  await loadCatalogue(runtime())
  const response = await fetch(`${service.url}${path}`, init)
  await expectDescribed(response, "/v1/models", "get")
  return response
}
async function entries(): Promise<Record<string, ModelEntry>> {
  const { data } = (await (await list()).json()) as { data: ModelEntry[] }
  return Object.fromEntries(data.map((entry) => [entry.id, entry]))
}
async function decideOn(model: string) {
  const { token } = await insertPayer()
  const response = await service.decide(token, { model, state: "s", questions: QUESTIONS })
  const body = (await expectDescribed(response, "/v1/decisions")) as { model?: string; error?: { code: string } }
  return [response.status, body.model ?? body.error?.code]
}

describe("the list of models of a new service", () => {
  it("needs no key and lists the alias with what it points at", async () => {
    const response = await fetch(`${service.url}/v1/models`)
    expect(response.status).toBe(200)
    const common = {
      status: "active",
      replacement_model: null,
      price_per_million_input_tokens_usd: "0.000000",
      max_questions: 16,
      max_options: 255,
      max_levels: 10,
      max_body_bytes: 29_360_128,
      // For OpenRouter's clients.
      canonical_slug: "svc-lexical-baseline-1",
      created: expect.any(Number),
      pricing: { prompt: "0.000000000000", completion: "0" },
      architecture: { input_modalities: ["text"], output_modalities: ["decisions"], modality: "text->decisions" },
      top_provider: { is_moderated: false },
      links: { details: "/v1/models" },
      context_length: null,
      default_parameters: null,
      per_request_limits: null,
      supported_parameters: [],
      supported_voices: null,
    }
    expect(await response.json()).toEqual({
      data: [
        {
          id: "svc-decider-latest",
          kind: "alias",
          target_model: "svc-lexical-baseline-1",
          name: "svc-decider-latest",
          ...common,
        },
        {
          id: "svc-lexical-baseline-1",
          kind: "pinned",
          target_model: null,
          name: "svc-lexical-baseline-1",
          ...common,
        },
      ],
      total_count: 2,
      links: { next: null },
      models: [
        {
          name: "svc-decider-latest",
          description: "Alias of svc-lexical-baseline-1",
          release_date: expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
        },
        { name: "svc-lexical-baseline-1", description: "Pinned model", release_date: expect.any(String) },
        ...["jev-latest", "jev-preview", "jev-1.13.0", "jev-1.14.0"].map((name) => ({
          name,
          description: "Name of svc-decider-latest",
          release_date: expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
        })),
      ],
    })
  })
})

describe("the list of models", () => {
  beforeAll(async () => {
    for (const id of ["svc-next-1", "svc-old-1", "svc-old-2"])
      await insertEngineModel(id, null, { engine: "lexical", maxQuestions: 16 })
  })

  it("shows price and limits as they are now, the alias those of its target", async () => {
    await setPrice(runtime(), OPERATOR, { id: LEXICAL_BASELINE, pricePico: pico(1_234_567) })
    await setLimits(runtime(), OPERATOR, {
      id: LEXICAL_BASELINE,
      maxQuestions: 3,
      maxOptions: 4,
      maxLevels: 2,
      maxBodyBytes: 1_000,
    })
    const shown = {
      status: "active",
      replacement_model: null,
      price_per_million_input_tokens_usd: "1.234567",
      max_questions: 3,
      max_options: 4,
      max_levels: 2,
      max_body_bytes: 1_000,
      pricing: { prompt: "0.000001234567", completion: "0" },
    }
    const { [ALIAS]: alias, [LEXICAL_BASELINE]: pinned } = await entries()
    expect(alias).toMatchObject({ id: ALIAS, kind: "alias", target_model: LEXICAL_BASELINE, ...shown })
    expect(pinned).toMatchObject({ id: LEXICAL_BASELINE, kind: "pinned", target_model: null, ...shown })
  })

  it("follows the alias to a newer model, and requests do too", async () => {
    await moveAlias(runtime(), OPERATOR, { toId: "svc-next-1" })
    expect((await entries())[ALIAS]).toMatchObject({ target_model: "svc-next-1", max_questions: 16 })
    expect(await decideOn(ALIAS)).toEqual([200, "svc-next-1"])
  })

  it("keeps retired ids, with their successor or null", async () => {
    await retireModel(runtime(), OPERATOR, { id: "svc-old-1", replacementId: "svc-next-1" })
    await retireModel(runtime(), OPERATOR, { id: "svc-old-2", replacementId: null })
    const shown = await entries()
    expect(shown["svc-old-1"]).toMatchObject({ status: "retired", replacement_model: "svc-next-1", target_model: null })
    expect(shown["svc-old-2"]).toMatchObject({ status: "retired", replacement_model: null })
    expect(await decideOn("svc-old-1")).toEqual([410, "model_retired"])
  })

  it("never has a retired alias", async () => {
    await expect(retireModel(runtime(), OPERATOR, { id: ALIAS, replacementId: null })).rejects.toMatchObject({
      code: "invalid_model",
    })
    await expect(retireModel(runtime(), OPERATOR, { id: "svc-next-1", replacementId: null })).rejects.toMatchObject({
      code: "invalid_request",
    })
    expect((await entries())[ALIAS]?.status).toBe("active")
  })

  it("shows a null price, and such a model is not sold", async () => {
    await runtime().pool.query("UPDATE model SET price_pico = NULL WHERE id = 'svc-next-1'")
    expect((await entries())["svc-next-1"]?.price_per_million_input_tokens_usd).toBeNull()
    expect(await decideOn("svc-next-1")).toEqual([503, "model_unavailable"])
  })

  it("needs no key, takes no parameters, and has no rate-limit headers", async () => {
    const response = await list("/v1/models?limit=1", { headers: { authorization: "Bearer nobody" } })
    expect(response.status).toBe(200)
    expect(((await response.json()) as { data: unknown[] }).data.length).toBeGreaterThan(1)
  })
})

describe("GET /v1/models", () => {
  it("over 5 a second is 429 with Retry-After, and counts against no key", async () => {
    const count = vi.spyOn(runtime().rates, "count")
    vi.spyOn(runtime().rates, "countAddress").mockReturnValue(false)
    const response = await fetch(`${service.url}/v1/models`)
    const { error } = (await expectDescribed(response, "/v1/models", "get")) as { error: { code: string } }
    expect([response.status, error.code, response.headers.get("retry-after")]).toEqual([429, "rate_limited", "1"])
    expect(count).not.toHaveBeenCalled()
  })

  it("is 503 while the list cannot be loaded", async () => {
    runtime().catalogue.markStale()
    vi.spyOn(runtime().rates, "countAddress").mockReturnValue(true)
    const response = await fetch(`${service.url}/v1/models`)
    const { error } = (await expectDescribed(response, "/v1/models", "get")) as { error: { code: string } }
    expect([response.status, error.code]).toEqual([503, "model_unavailable"])
  })

  it("is 500 internal_error when the service itself fails", async () => {
    vi.spyOn(runtime().rates, "countAddress").mockImplementation(() => {
      throw new Error("boom")
    })
    const response = await fetch(`${service.url}/v1/models`)
    const { error } = (await expectDescribed(response, "/v1/models", "get")) as { error: { code: string } }
    expect([response.status, error.code]).toEqual([500, "internal_error"])
  })
})

describe("GET /openapi.json", () => {
  it("is served where only the API is, with this instance's own address", async () => {
    const response = await fetch(`${service.url}/openapi.json`)
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"])
    expect(await response.json()).toEqual({ ...openApi, servers: [{ url: "https://api.example.com" }] })
  })

  it("refuses other methods", async () => {
    const response = await fetch(`${service.url}/openapi.json`, { method: "POST" })
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"])
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
