import path from "node:path"
import { beforeAll, expect, test } from "vitest"
import { insertFastKey } from "../insert-rows"
import { pythonPackagesOf } from "../python-packages"
import { testService } from "../service"
import { OPENAI_CLIENTS, OPENROUTER_CLIENTS } from "./dialect-clients"
import { PROXY_KEY, startLiteLlmProxy } from "./litellm-proxy"
import { KEY, LOCKS } from "./register"
import { runClient, runPython } from "./run-client"

const SLOW = { timeout: 400_000 }
const LOCK = path.join("test/clients", LOCKS[0])

let url: string
let token: string
beforeAll(async () => {
  url = (await testService()).url
  token = (await insertFastKey(1_000_000_000_000_000n)).token
})

test.each([
  ...OPENROUTER_CLIENTS.map((client) => [client.name, "OpenRouter", client] as const),
  ...OPENAI_CLIENTS.map((client) => [client.name, "OpenAI", client] as const),
])("%s decides through the API of %s, as the docs say", SLOW, async (_name, _api, client) => {
  expect(await runClient(client, url, token, LOCK)).toBe(client.prints)
})

const NO_FILES = "This service takes neither images nor files. Send the text that they show."

test("openai for Python reads why an image or a file is refused, and in which field", SLOW, async () => {
  const variables = { OPENAI_BASE_URL: `${url}/openai/v1`, OPENAI_API_KEY: token }
  const packages = await pythonPackagesOf(LOCK)
  const printed = await runPython(packages, [path.resolve("test/clients/programs/openai_refused.py")], variables)
  expect(printed.split("\n")).toEqual([
    `400 input ${NO_FILES}`,
    `400 input ${NO_FILES}`,
    `400 questions.0.instructions ${NO_FILES}`,
  ])
})

test.each([
  ["OpenAI", "openai/gpt-6-luna", "/openai/v1"],
  ["OpenRouter", "openrouter/typesafe/jev-latest", "/api"],
])(
  "a LiteLLM proxy that asks the service through the API of %s answers openai for Python",
  SLOW,
  async (_api, model, base) => {
    const params = { model, api_base: url + base, api_key: token }
    const proxy = await startLiteLlmProxy(await pythonPackagesOf(LOCK), "gpt-6-luna", params)
    const [openai] = OPENAI_CLIENTS
    if (!openai) throw new Error("the register has no openai")
    const client = { ...openai, set: { OPENAI_BASE_URL: "{{base_url}}/v1", OPENAI_API_KEY: KEY } }
    expect(await runClient(client, proxy, PROXY_KEY, LOCK)).toBe("0.91")
  },
)
