import { writeFile } from "node:fs/promises"
import path from "node:path"
import { beforeAll, expect, test } from "vitest"
import { insertFastKey } from "../insert-rows"
import { pythonPackagesOf, startPythonServer } from "../python-packages"
import { testService } from "../service"
import { tempFolder } from "../temp-folder"
import { PROXY_KEY, startLiteLlmProxy } from "./litellm-proxy"
import { CLIENTS, type ClientPackage, LOCKS } from "./register"
import { runClient } from "./run-client"

const SLOW = { timeout: 400_000 }
const PACKAGES = path.join("test/clients", LOCKS[0])
const lockOf = ({ from }: ClientPackage) => path.join("test/clients", from ?? LOCKS[0])

let url: string
let token: string
beforeAll(async () => {
  url = (await testService()).url
  token = (await insertFastKey(1_000_000_000_000_000n)).token
})

test.each(CLIENTS.map((client) => [client.name, client] as const))(
  "%s decides with an address and a key, as the docs say",
  SLOW,
  async (_name, client) => {
    expect(await runClient(client, url, token, lockOf(client))).toBe(client.prints)
  },
)

/** The SDK for Python, which the proxies answer. */
const [sdk] = CLIENTS.filter(({ name }) => name === "typesafe-sdk")
if (!sdk) throw new Error("the register has no typesafe-sdk")

test("a LiteLLM proxy in front of the service answers the SDK that does not compress", SLOW, async () => {
  const params = { model: "typesafe/jev-latest", api_base: url, api_key: token }
  const proxy = await startLiteLlmProxy(await pythonPackagesOf(PACKAGES), "jev-latest", params)
  const uncompressed = { ...sdk, program: "typesafe_sdk_uncompressed" }
  expect(await runClient(uncompressed, proxy, PROXY_KEY, PACKAGES)).toBe("0.91")
})

test("a stuntd proxy in front of the service answers the SDK for Python", SLOW, async () => {
  const folder = tempFolder()
  await writeFile(path.join(folder, "stuntd.toml"), `[jev]\nupstream = "${url}"\n`)
  const packages = await pythonPackagesOf(PACKAGES)
  const args = (port: number) => ["-m", "stuntd", "serve", "--port", `${port}`]
  const proxy = await startPythonServer(packages, args, { STUNTD_DATA_DIR: folder })
  expect(await runClient(sdk, proxy, token, PACKAGES)).toBe("0.91")
})
