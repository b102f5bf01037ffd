import path from "node:path"
import { beforeAll, expect, test } from "vitest"
import { insertFastKey } from "../insert-rows"
import { INSTALL_HOOK_MS, pythonPackagesOf } from "../python-packages"
import { nodeFolder, sdksInstalled } from "../sdks"
import { testService } from "../service"
import { jevcompat } from "./jevcompat"
import { CLIENTS } from "./register"
import { codingsDuring, runClient, runNode } from "./run-client"

const LOCK = "test/clients/slow-packages.txt"
const SLOW = { timeout: 300_000 }

let packages: string
let url: string
let token: string
beforeAll(async () => {
  packages = await pythonPackagesOf(LOCK)
  url = (await testService()).url
  token = (await insertFastKey(1_000_000_000_000_000n)).token
}, INSTALL_HOOK_MS)

// It asks for status 422 where the contract has 400.
test("jevcompat finds the service conformant, with one requirement that the contract refuses", SLOW, async () => {
  expect(await jevcompat(packages, url, token)).toEqual({
    verdict: "conformant to spec 0.1: MUST 32/32, SHOULD 14/15",
    unmet: ["errors.validation-shape"],
  })
})

/** What each sends of a body over 2 KiB. The SDK for JavaScript never compresses. */
const CODINGS: Record<string, string> = { "typesafe-sdk": "zstd", "@typesafe-ai/sdk": "none", litellm: "none" }

test.each(CLIENTS.filter(({ isSlow }) => isSlow).map((client) => [client.name, client] as const))(
  "%s decides with an address and a key in its environment, in the coding that it chooses",
  SLOW,
  async (name, client) => {
    const codings = await codingsDuring(async () =>
      expect(await runClient(client, url, token, LOCK)).toBe(client.prints),
    )
    expect(codings).toEqual([CODINGS[name]])
  },
)

test("the SDK for JavaScript decides with a fetch that compresses its body with zstd", SLOW, async () => {
  const variables = { TYPESAFE_BASE_URL: url, TYPESAFE_API_KEY: token }
  await sdksInstalled()
  const node = path.join(nodeFolder(22), "node")
  const codings = await codingsDuring(async () =>
    expect(await runNode("typesafe_ai_sdk_zstd.mjs", variables, node)).toBe("0.91"),
  )
  expect(codings).toEqual(["zstd"])
})
