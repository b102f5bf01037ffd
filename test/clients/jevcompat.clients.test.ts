import { expect, test } from "vitest"
import { insertFastKey } from "../insert-rows"
import { pythonPackagesOf, startPythonServer } from "../python-packages"
import { testService } from "../service"
import { JEVCOMPAT, jevcompat } from "./jevcompat"
import { LOCKS } from "./register"

/** The suite's own engine answers each question by its content alone, so a rename by the service would show. */
test("jevcompat finds the service conformant in front of an engine", { timeout: 900_000 }, async () => {
  const packages = await pythonPackagesOf(`test/clients/${LOCKS[0]}`)
  const engine = await startPythonServer(packages, (port) => ["-c", JEVCOMPAT, "mock", "--port", `${port}`])
  const { url } = await testService({ ENGINE_URL: engine, ENGINE_MODEL: "mock" })
  const { token } = await insertFastKey(1_000_000_000_000_000n)
  expect(await jevcompat(packages, url, token)).toEqual({
    verdict: "conformant to spec 0.1: MUST 32/32, SHOULD 14/15",
    unmet: ["errors.validation-shape"],
  })
})
