import { beforeAll, expect, test } from "vitest"
import { insertFastKey } from "../insert-rows"
import { pythonPackagesOf } from "../python-packages"
import { testService } from "../service"
import { jevcompat } from "./jevcompat"
import { CLIENTS } from "./register"
import { runClient } from "./run-client"

const LOCK = "test/clients/slow-packages.txt"
const SLOW = { timeout: 300_000 }

let url: string
let token: string
beforeAll(async () => {
  url = (await testService()).url
  token = (await insertFastKey(1_000_000_000_000_000n)).token
})

// It asks for status 422 where the contract has 400.
test("jevcompat finds the service conformant, with one requirement that the contract refuses", SLOW, async () => {
  expect(await jevcompat(await pythonPackagesOf(LOCK), url, token)).toEqual({
    verdict: "conformant to spec 0.1: MUST 32/32, SHOULD 14/15",
    unmet: ["errors.validation-shape"],
  })
})

test.each(CLIENTS.filter(({ isSlow }) => isSlow).map((client) => [client.name, client] as const))(
  "%s decides with an address and a key in its environment",
  SLOW,
  async (_name, client) => {
    expect(await runClient(client, url, token, LOCK)).toBe(client.prints)
  },
)
