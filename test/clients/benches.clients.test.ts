import { expect, test } from "vitest"
import { insertFastKey } from "../insert-rows"
import { pythonPackagesOf } from "../python-packages"
import { testService } from "../service"
import { LOCKS } from "./register"
import { runPython } from "./run-client"

test("jevbench tests the built-in scorer to its end, and is refused nothing", { timeout: 300_000 }, async () => {
  const packages = await pythonPackagesOf(`test/clients/${LOCKS[0]}`)
  const { url } = await testService()
  const { token } = await insertFastKey(1_000_000_000_000_000n)
  const program = "from jevbench.cli import main; main()"
  const suite = ["eval", "--url", `${url}/v1/systemone`, "--model", "jev-latest", "--suite", "examples"]
  const printed = await runPython(packages, ["-c", program, ...suite], { JEVBENCH_API_KEY: token })
  expect(printed).toMatch(/overall \d+\.\d .*50 scored relations/)
})
