import { describe, expect, test } from "vitest"
import { createAccountToken } from "@/lib/server/accounts/account-tokens"
import { EXAMPLE_ANSWER } from "@/lib/server/decisions/example-answer"
import { memoryWindows } from "@/lib/server/limits/windows"
import { keepOutcomes } from "@/lib/server/outcomes/keep-outcomes"
import { operatorFor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { signMessage } from "@/lib/server/webhooks/secret"
import { insertFastKey } from "@/test/insert-rows"
import { hasProgram, isRunnable, type Ran, runSnippet } from "@/test/run-snippet"
import { SDK_MODULES } from "@/test/sdks"
import { sendDecision } from "@/test/send-decision"
import { testService } from "@/test/service"
import { ownerOf } from "@/test/sign-up"
import { type GuidePage, readGuide } from "./guide"
import { type Snippet, snippetsOf } from "./parse"
import { SLUGS, type Slug } from "./slugs"
import { guideValues } from "./values"

const service = await testService({}, { serve: "all" })
const { accountId, token } = await insertFastKey()
const account = await createAccountToken(runtime(), operatorFor(accountId), { name: "Watch", expiresAt: null })
await keepOutcomes(runtime(), ownerOf(accountId), { isOn: true })
const answered = await sendDecision(service.url, token)
const REQUEST_ID = answered.headers.get("x-request-id") ?? ""
const { catalogue, env } = service.runtime

/** Gives each request a second of its own. The programs list the models from one address more often than its rate limit allows. */
let now = 0
runtime().rates = memoryWindows(() => (now += 1_000))

const guide = await readGuide(
  guideValues({ catalogue, env: { ...env, BASE_URL: service.url, CONSOLE_URL: service.url } }),
)

const pageOf = (slug: Slug): GuidePage => guide[SLUGS.indexOf(slug)] as GuidePage
const runnable = (slug: Slug): Snippet[] => snippetsOf(pageOf(slug).markdown).filter(isRunnable)
const canRun = ({ language }: Snippet) => language !== "python" || hasProgram("python3")
if (!hasProgram("go")) throw new Error("The programs in Go need Debian's package golang-go")

/** Runs the snippets of a page as printed. Returns their output by title. */
async function outputs(slug: Slug): Promise<Map<string, Ran>> {
  const ran = runnable(slug)
    .filter(canRun)
    .map(async (snippet) => {
      const env = { SVC_ACCOUNT_TOKEN: account.token, REQUEST_ID }
      return [snippet.title, await runSnippet(snippet, token, { node: 24, modules: SDK_MODULES, env })] as const
    })
  return new Map(await Promise.all(ran))
}

const stdout = (ran: Map<string, Ran>, title: string): string => {
  const { exitCode, stdout: text, stderr } = ran.get(title) ?? { exitCode: -1, stdout: "", stderr: "no such snippet" }
  expect({ title, exitCode, stderr: title.endsWith(".sh") ? "" : stderr.replace(/^ .*\n|.*curl.*\n/gm, "") }).toEqual({
    title,
    exitCode: 0,
    stderr: "",
  })
  return text
}

describe("what the docs print runs as printed", () => {
  test("the quickstart returns the printed answer in all four languages", async () => {
    const ran = await outputs("quickstart")
    const [shown] = snippetsOf(pageOf("quickstart").markdown).filter(({ language }) => language === "json")
    expect(JSON.parse(shown?.code ?? "")).toEqual(EXAMPLE_ANSWER)
    expect([...ran.keys()]).toEqual(
      ["In your shell", "decide.sh", "decide.mts", "decide.py", "decide.go"].filter((t) => ran.has(t)),
    )
    for (const title of [...ran.keys()].slice(1)) expect(JSON.parse(stdout(ran, title))).toEqual(EXAMPLE_ANSWER)
  })

  test("the formulas of the concepts page return the values in their comments", async () => {
    const ran = await outputs("concepts")
    for (const title of ["late.sh", "late.mts", "late.py", "late.go"].filter((t) => ran.has(t)))
      expect(JSON.parse(stdout(ran, title)).answers.late).toEqual({ type: "noul", noul: expect.any(Number) })
    for (const title of ["confidence.mts", "confidence.py", "confidence.go"].filter((t) => ran.has(t)))
      expect(stdout(ran, title)).toBe("0.55\n0.70\n")
  })

  test("every example of the API reference returns the same answer in all four languages", async () => {
    const ran = await outputs("api")
    const answers = (name: string) =>
      ["sh", "mts", "py", "go"]
        .map((ending) => `${name}.${ending}`)
        .filter((title) => ran.has(title))
        .map((title) => JSON.parse(stdout(ran, title)))
    expect(answers("create")).toEqual(answers("create").map(() => EXAMPLE_ANSWER))
    for (const name of ["noul", "choice", "score", "models"])
      expect(answers(name)).toEqual(answers(name).map(() => answers(name)[0]))
    expect(answers("models")[0].data.map(({ id }: { id: string }) => id)).toEqual(catalogue.list().map(({ id }) => id))
  })

  test("the models page lists the catalogue", async () => {
    const ran = await outputs("models")
    const listed = catalogue.list().map(({ id }) => id)
    expect(JSON.parse(ran.get("List the models")?.stdout ?? "").data.map(({ id }: { id: string }) => id)).toEqual(
      listed,
    )
    for (const title of ["aliases.mts", "aliases.py", "aliases.go"].filter((t) => ran.has(t)))
      expect(stdout(ran, title)).toBe(
        "svc-decider-latest → svc-lexical-baseline-1 (active), 16 questions\nsvc-lexical-baseline-1 (active), 16 questions\n",
      )
  })

  test("the programs of the outcomes page report the outcome of an answer", async () => {
    const ran = await outputs("outcomes")
    const titles = ["outcome.sh", "outcome.mts", "outcome.py", "outcome.go"].filter((title) => ran.has(title))
    expect(titles.map((title) => JSON.parse(stdout(ran, title)))).toEqual(titles.map(() => ({ stored: 1 })))
    const { rows } = await service.runtime.pool.query("SELECT question, predicted, outcome FROM outcome")
    expect(rows).toEqual([{ question: "q", predicted: 0.91, outcome: 1 }])
  })

  test("the request of the errors page is refused as printed", async () => {
    const ran = await outputs("errors")
    const { error } = JSON.parse(ran.get("A request without questions")?.stdout ?? "")
    expect(error).toMatchObject({ code: "invalid_request", param: "questions" })
  })

  test("the limits page shows all four rate headers and the request id, and sends tags", async () => {
    const ran = await outputs("limits")
    const names = (ran.get("See the headers")?.stdout ?? "")
      .split("\n")
      .map((line) => line.split(":")[0]?.toLowerCase())
    for (const name of ["limit", "remaining", "used", "reset"]) expect(names).toContain(`x-ratelimit-${name}`)
    expect(names).toContain("x-request-id")
    expect(JSON.parse(stdout(ran, "tagged.sh"))).toHaveProperty("answers.refund.type", "noul")
  })

  test("the code of the billing page computes the cost, and reads the account", async () => {
    const ran = await outputs("billing")
    for (const title of ["cost.mts", "cost.py", "cost.go"].filter((t) => ran.has(t)))
      expect(stdout(ran, title)).toBe("14 tokens cost $0.000000000000\n")
    expect(JSON.parse(stdout(ran, "account.sh"))).toMatchObject({ balance_usd: "1.000000000000" })
    expect(stdout(ran, "usage.sh").split("\r\n")[0]).toBe(
      "date,key_id,key,model,decisions,input_tokens,cost_usd,key_ending",
    )
  })

  test("the receivers of the webhooks page verify a message that the service signed", async () => {
    const [shown] = snippetsOf(pageOf("webhooks").markdown).filter(({ language }) => language === "json")
    const body = JSON.stringify(JSON.parse(shown?.code ?? ""))
    const key = Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64")
    const signature = signMessage(key, "msg_01k3tfa2c4e6g8j0m2p4r6t8v0", 1_795_339_800, body)
    const programs = runnable("webhooks")
    expect(programs.map(({ code }) => code.includes(signature) && code.includes(body))).toEqual([true, true, true])
    const ran = await outputs("webhooks")
    for (const { title } of programs.filter(canRun)) expect(stdout(ran, title)).toBe("balance.low\n")
    const forged = programs.map((program) => ({ ...program, code: program.code.replace('"4.5', '"9.5') }))
    for (const program of forged.filter(canRun))
      expect((await runSnippet(program, token, { node: 24 })).stderr).toContain("The signature is wrong.")
  })

  test("a program in TypeScript and Python is there in Go, too", () => {
    const titles = guide.flatMap(({ markdown }) => snippetsOf(markdown)).map(({ title }) => title)
    const both = titles.filter((title) => title.endsWith(".py") && titles.includes(title.replace(/py$/, "mts")))
    expect(both.filter((title) => !titles.includes(title.replace(/py$/, "go")))).toEqual([])
    expect(both.length).toBeGreaterThan(4)
  })

  test("every snippet is in a language that a test runs", () => {
    const kept = ["json", "text"]
    const odd = guide.flatMap(({ markdown }) => snippetsOf(markdown)).filter((one) => !isRunnable(one))
    expect(odd.filter(({ language }) => !kept.includes(language))).toEqual([])
    const tested: Slug[] = [
      "quickstart",
      "sdks",
      "openrouter",
      "openai",
      "api",
      "concepts",
      "models",
      "outcomes",
      "errors",
      "retries",
      "limits",
      "billing",
      "webhooks",
    ]
    expect(SLUGS.filter((slug) => runnable(slug).length > 0)).toEqual(tested)
  })
})
