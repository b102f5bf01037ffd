import { expect, test } from "vitest"
import { insertFastKey } from "../insert-rows"
import { pythonPackagesOf } from "../python-packages"
import { testService } from "../service"
import { CLIENTS } from "./register"
import { runClient, runPython } from "./run-client"

const LOCK = "test/clients/packages.txt"
const SLOW = { timeout: 300_000 }
/** As its command does. The package cannot be run as a module. */
const JEVCOMPAT = "import sys; from jevcompat.cli import main; sys.argv[0] = 'jevcompat'; main()"

/** Runs the conformance suite against a service. Returns its last line and the requirements that it says are not met. */
async function conformance(): Promise<{ verdict: string; unmet: string[] }> {
  const packages = await pythonPackagesOf(LOCK)
  const { url } = await testService()
  const { token } = await insertFastKey(1_000_000_000_000_000n)
  const printed = await runPython(packages, ["-c", JEVCOMPAT, "test", url, "--key", token])
  const unmet = [...printed.matchAll(/✗ \w+ +(\S+)/g)].map(([, id = ""]) => id)
  return { verdict: printed.split("\n").at(-1) ?? "", unmet }
}

// It asks for status 422 where the contract has 400.
test("jevcompat finds the service conformant, with one requirement that the contract refuses", SLOW, async () => {
  expect(await conformance()).toEqual({
    verdict: "conformant to spec 0.1: MUST 32/32, SHOULD 14/15",
    unmet: ["errors.validation-shape"],
  })
})

test.each(CLIENTS.map((client) => [client.name, client] as const))(
  "%s decides with an address and a key in its environment",
  SLOW,
  async (_name, client) => {
    const packages = await pythonPackagesOf(LOCK)
    const { url } = await testService()
    const { token } = await insertFastKey()
    expect(await runClient(packages, client, url, token)).toBe(client.prints)
  },
)
