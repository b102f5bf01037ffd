import { execFile } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import path from "node:path"
import { promisify } from "node:util"
import { describe, expect, test } from "vitest"
import type { Threshold } from "@/lib/shared/runs/thresholds"
import { insertKey } from "@/test/insert-rows"
import { keepingAccount } from "@/test/keeping-account"
import { listen } from "@/test/listen"
import { testService } from "@/test/service"
import { tempFolder } from "@/test/temp-folder"
import { type CodeExport, exportCode } from "./export-code"

const run = promisify(execFile)
const model = "svc-lexical-baseline-1"
const LANGUAGES = ["curl", "TypeScript", "Python"] as const
const COMMANDS: Record<CodeExport["language"], string[]> = {
  curl: ["sh"],
  TypeScript: [process.execPath, path.resolve("node_modules/tsx/dist/cli.mjs")],
  Python: ["python3"],
}
/** A name that programs could lose. */
const NAME = "__proto__"
const STATE = "Please refund me, my parcel is broken!"
const request = (state: string) =>
  JSON.stringify({
    model,
    state,
    questions: {
      [NAME]: { type: "noul", instructions: "Refund?" },
      team: { type: "choice", criteria: { billing: "refund", delivery: "parcel" } },
      anger: { type: "score", criteria: ["calm", "cross", "angry", "furious"] },
    },
  })
const OUTCOMES = [true, false, 2]

const service = await testService()
const folder = tempFolder()
const { actor } = await keepingAccount()
const { token } = await insertKey(actor.accountId)

async function runExport(
  language: CodeExport["language"],
  args: string[] = [],
  url = service.url,
  threshold?: Threshold,
) {
  const thresholds = new Map(threshold ? [[NAME, threshold]] : [])
  const made = exportCode(request(STATE), thresholds, url, "outcomes")?.find((each) => each.language === language)
  const file = path.join(folder, made?.file ?? "")
  await writeFile(file, made?.code ?? "")
  const [command = "", ...first] = COMMANDS[language]
  // biome-ignore lint/style/noProcessEnv: the test needs PATH to find the programs
  const env = { PATH: process.env.PATH, SVC_API_KEY: token, LC_ALL: "C", NODE_ENV: "test" } as const
  return run(command, [...first, file, ...args], { env, cwd: folder })
}

const stored = async () => {
  const { rows } = await service.runtime.pool.query(
    "SELECT question, type, model_id, predicted, score, outcome FROM outcome WHERE account_id = $1 ORDER BY stored_at, type",
    [actor.accountId],
  )
  await service.runtime.pool.query("DELETE FROM outcome WHERE account_id = $1", [actor.accountId])
  return rows
}

const predictionsIn = (stdout: string): Record<string, unknown>[] =>
  stdout
    .split("\n")
    .filter((line) => line.startsWith('{"request_id"'))
    .map((line) => JSON.parse(line))

describe.each(LANGUAGES)("exported code that reports outcomes, in %s", (language) => {
  test("prints what was predicted, and stores the outcomes that are added to its lines", async () => {
    const { answers } = (await (await service.decide(token, request(STATE))).json()) as {
      answers: Record<string, { noul: number; choice: string; score: number; probabilities: Record<string, number> }>
    }
    const { stdout } = await runExport(language, [], service.url, { low: 0, high: 0, model })
    expect(stdout).toContain(`\n${NAME} yes\n`)
    const predictions = predictionsIn(stdout)
    const level = Math.round(answers.anger?.score ?? -1)
    const near = [level - 1, level, level + 1].map((at) => answers.anger?.probabilities[at] ?? 0)
    const withinOne = near.reduce((sum, share) => sum + share, 0)
    const predicted = [
      answers[NAME]?.noul,
      answers.team?.probabilities[answers.team.choice],
      { score: answers.anger?.score, within_one: expect.closeTo(withinOne, 12) },
    ]
    expect(predictions).toEqual(
      [NAME, "team", "anger"].map((question, at) => ({
        request_id: expect.stringMatching(/^req_/),
        question,
        type: ["noul", "choice", "score"][at],
        predicted: predicted[at],
      })),
    )
    const file = path.join(folder, "known.jsonl")
    const lines = predictions.map((prediction, at) => JSON.stringify({ ...prediction, outcome: OUTCOMES[at] }))
    await writeFile(file, `${lines.join("\n")}\n`)
    const reported = await runExport(language, ["report", file])
    expect(reported.stdout).toBe(language === "curl" ? '{"stored":3}\n' : "3 outcomes were stored.\n")
    expect(await stored()).toEqual([
      { question: "team", type: "choice", model_id: model, predicted: predicted[1], score: null, outcome: 0 },
      { question: NAME, type: "noul", model_id: model, predicted: predicted[0], score: null, outcome: 1 },
      {
        ...{ question: "anger", type: "score", model_id: model, predicted: expect.closeTo(withinOne, 12) },
        ...{ score: answers.anger?.score, outcome: 2 },
      },
    ])
  })

  test("ends with 1 when a report is refused, and prints the error", async () => {
    const file = path.join(folder, "refused.jsonl")
    await writeFile(file, '{"request_id":"req_1","question":"q","type":"noul","predicted":2,"outcome":true}\n')
    const failed = await runExport(language, ["report", file]).catch((error) => error)
    expect(failed.code).toBe(1)
    expect(failed.stdout + failed.stderr).toContain("invalid_request")
    expect(await stored()).toEqual([])
  })

  // The shell script has no retries.
  if (language === "curl") return

  test("predicts nothing for a stored response, whose id has no charge", async () => {
    const server = createServer((incoming, response) => {
      incoming.resume().on("end", () => {
        response.writeHead(200, { "x-request-id": "req_2", "idempotent-replayed": "true" })
        response.end(JSON.stringify({ model, answers: { [NAME]: { type: "noul", noul: 0.5 } } }))
      })
    })
    const { stdout } = await runExport(language, [], await listen(server))
    server.close()
    expect(JSON.parse(stdout)).toMatchObject({ request_id: null })
  })

  test("sends more than 1,000 outcomes in several reports", async () => {
    const counts: number[] = []
    const server = createServer((incoming, response) => {
      const chunks: Buffer[] = []
      incoming
        .on("data", (chunk) => chunks.push(chunk))
        .on("end", () => {
          const { outcomes } = JSON.parse(Buffer.concat(chunks).toString())
          counts.push(outcomes.length)
          response.end(JSON.stringify({ stored: outcomes.length }))
        })
    })
    const file = path.join(folder, "many.jsonl")
    const line = '{"request_id":"req_1","question":"q","type":"noul","predicted":1,"outcome":true}\n'
    await writeFile(file, line.repeat(2_001))
    const { stdout } = await runExport(language, ["report", file], await listen(server))
    server.close()
    expect([stdout, counts]).toEqual(["2001 outcomes were stored.\n", [1_000, 1_000, 1]])
  })
})
