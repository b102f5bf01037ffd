import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { beforeAll, expect, test } from "vitest"
import { insertFastKey } from "../insert-rows"
import { pythonPackagesOf } from "../python-packages"
import { testService } from "../service"
import { tempFolder } from "../temp-folder"
import { LOCKS } from "./register"
import { runPython } from "./run-client"

const SLOW = { timeout: 900_000 }
const SWEEPS = [
  ...["cardinality_rag", "length_tickets", "robustness_tickets", "interference_queue", "interference_priority"],
  ...["noul_is_angry", "ordinal_probes", "decision_value_tickets", "decision_value_phish"],
]

let packages: string
let url: string
let token: string
beforeAll(async () => {
  packages = await pythonPackagesOf(`test/clients/${LOCKS[0]}`)
  url = (await testService()).url
  token = (await insertFastKey(1_000_000_000_000_000n)).token
})

test("jevbench tests the built-in scorer to its end, and is refused nothing", SLOW, async () => {
  const program = "from jevbench.cli import main; main()"
  const suite = ["eval", "--url", `${url}/v1/systemone`, "--model", "jev-latest", "--suite", "examples"]
  const printed = await runPython(packages, ["-c", program, ...suite], { JEVBENCH_API_KEY: token })
  expect(printed).toMatch(/overall \d+\.\d .*50 scored relations/)
})

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** Figures that stay empty where they do not apply: without hostile framings, abstentions or rounding, and for risks that no threshold meets. */
const MAY_BE_EMPTY =
  /^(accuracy_(adversarial_\w+|std)|mean_pairwise_jsd|argmax_flip_rate|quant_step|abstain_precision|threshold_at_risk_\d+)$/

/** Returns the paths of the other cells without a value. */
function emptyCells(value: Json, where: string[] = []): string[] {
  if (value === null) return MAY_BE_EMPTY.test(where.at(-1) ?? "") ? [] : [where.join("/")]
  if (typeof value !== "object") return []
  return Object.entries(value).flatMap(([name, cell]) => emptyCells(cell, [...where, name]))
}

const FIGURES = ["svc/summary", ...SWEEPS.map((name) => `svc_sweeps/${name}`)]

test("sys1bench fills every cell of its suites", SLOW, async () => {
  const folder = tempFolder()
  const settings = { adapter: "jev_typesafe", model_id: "jev-latest", url: `${url}/v1/systemone`, allow_alias: true }
  await writeFile(path.join(folder, "model.json"), JSON.stringify({ ...settings, deployment: "local" }))
  const program = "from sys1bench.cli import app; app()"
  const suite = ["suite", "all", "results/svc", "--config", "model.json", "--n", "100", "--concurrency", "8"]
  await runPython(packages, ["-c", program, ...suite], { TYPESAFE_API_KEY: token }, { cwd: folder, timeoutMs: 850_000 })
  for (const file of FIGURES) {
    // Python writes NaN, which JSON has not.
    const text = (await readFile(path.join(folder, "results", `${file}.json`), "utf8")).replaceAll(/\bNaN\b/g, "null")
    expect([file, emptyCells(JSON.parse(text))]).toEqual([file, []])
    expect([file, [...text.matchAll(/"(?:error|\w+_failure)_rate": (?!0\.0\b)/g)]]).toEqual([file, []])
  }
})

// What it needs to know, and the published document cannot say, is in its hooks.
test("schemathesis finds nothing in three minutes", SLOW, async () => {
  const folder = tempFolder()
  await writeFile(path.join(folder, "schemathesis.toml"), `[auth.openapi.apiKey]\nbearer = "${token}"\n`)
  const program = "from schemathesis.cli import schemathesis; schemathesis()"
  const options = ["--url", url, "--continue-on-failure", "--max-time", "180"]
  const args = ["-c", program, "run", path.resolve("public/openapi.json"), ...options]
  await runPython(
    packages,
    args,
    { SCHEMATHESIS_HOOKS: path.resolve("test/clients/schemathesis_hooks.py") },
    { cwd: folder },
  )
})
