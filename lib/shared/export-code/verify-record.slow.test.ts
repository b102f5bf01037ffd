import { generateKeyPairSync, sign } from "node:crypto"
import { createServer } from "node:http"
import { expect, test } from "vitest"
import { canonicalJson, hashOf } from "@/lib/shared/evaluate/export/hash"
import { type SignOffRecord, signOffRecord } from "@/lib/shared/evaluate/export/sign-off-record"
import { testInputOf } from "@/lib/shared/evaluate/export/test-input"
import { acceptedRun } from "@/test/accepted-run"
import { listen } from "@/test/listen"
import { runExportedTest } from "@/test/run-exported-test"
import type { TestInput } from "./export-test"

const LANGUAGES = ["typescript", "python"] as const

const { publicKey, privateKey } = generateKeyPairSync("ed25519")
const PUBLIC_KEY = publicKey.export({ format: "jwk" }).x ?? ""

function recordOf(): SignOffRecord {
  const record = signOffRecord(acceptedRun(), { madeAt: "2026-11-28T11:00:00.000Z", person: "ada@example.com" })
  if (!record) throw new Error("no rows")
  return record
}

function signed(record: SignOffRecord, { person, account }: Partial<SignOffRecord> = record) {
  const statement = canonicalJson({ account, at: "2026-11-28T11:00:01.000Z", person, sha256: hashOf(record) })
  const signature = sign(null, Buffer.from(statement), privateKey).toString("base64url")
  return { record, signature: { statement, signature, publicKey: PUBLIC_KEY } }
}

function inputOf(baseUrl = "http://127.0.0.1:9"): TestInput {
  const input = testInputOf(acceptedRun(), baseUrl)
  if (!input) throw new Error("no rows")
  return input
}

const verify = (language: (typeof LANGUAGES)[number], record: object, input = inputOf(), env = { PUBLIC_KEY }) =>
  runExportedTest(language, input, "", {
    env,
    args: ["verify", "tickets.signoff.json"],
    files: { "tickets.signoff.json": JSON.stringify(record) },
  })

const changed = (change: (record: SignOffRecord) => void) => {
  const record = structuredClone(recordOf())
  change(record)
  return signed(record)
}

/** What may differ from the record, and the sentence that says so. All but the last four are signed as they are. */
const DIFFERENCES: Record<string, [record: () => object, input: () => TestInput, sentence: string]> = {
  "a label": [
    () => signed(recordOf()),
    () => ({ ...inputOf(), rows: inputOf().rows.map((row, at) => (at === 5 ? { ...row, labels: [0, 0, 0] } : row)) }),
    "FAIL the rows are those of the record",
  ],
  "an answer in its last digit": [
    () => signed(recordOf()),
    () => ({
      ...inputOf(),
      rows: inputOf().rows.map((row, at) =>
        at === 5 ? { ...row, answers: row.answers.map((each) => each?.map((p) => p + 1e-16 * (p + 1)) ?? null) } : row,
      ),
    }),
    "FAIL the answers are those of the record",
  ],
  "the wording of a question": [
    () => signed(recordOf()),
    () => ({ ...inputOf(), questionsJson: inputOf().questionsJson.replace("angry?", "upset?") }),
    "FAIL the questions are those of the record",
  ],
  "the model": [
    () => signed(recordOf()),
    () => ({ ...inputOf(), pinnedId: "m-2" }),
    "FAIL the model is m-2, asked for as m-latest",
  ],
  "a rule": [
    () => changed(({ questions: [first] }) => Object.assign(first ?? {}, { rule: { low: 0.4, high: 0.5 } })),
    inputOf,
    "FAIL refund: the rule of the record is that of the test",
  ],
  "a count": [
    () => changed(({ questions: [, second] }) => Object.assign(second?.claims[0] ?? {}, { wrong: 3 })),
    inputOf,
    "FAIL team: at most 10.0% of the automatic answers are wrong: 10 of 182 are",
  ],
  "a limit": [
    () => changed(({ questions: [first] }) => Object.assign(first?.limits ?? {}, { minAutomatic: 0.5 })),
    inputOf,
    "FAIL refund: the limits of the record are those of the test",
  ],
  "a verdict": [
    () => changed(({ questions: [, , third] }) => Object.assign(third?.claims[0] ?? {}, { verdict: "not confirmed" })),
    inputOf,
    "FAIL anger: at most 5.0% of the automatic scores are more than one level off: confirmed, and the record says not confirmed",
  ],
  "a threshold below what the walk certifies": [
    () => changed(({ questions: [, second] }) => Object.assign(second ?? {}, { rule: { low: null, high: 0 } })),
    () => ({
      ...inputOf(),
      checks: inputOf().checks.map((check) =>
        check.question === "team" ? { ...check, band: { low: null, high: 0 } } : check,
      ),
    }),
    "FAIL team: at most 10.0% of the automatic answers are wrong: not confirmed, and the record says confirmed",
  ],
  "the person": [
    () => ({ ...signed(recordOf()), record: { ...recordOf(), person: "eve@example.com" } }),
    inputOf,
    "FAIL the signed SHA-256 is that of the record",
  ],
  "who asked for the signature": [
    () => signed(recordOf(), { person: "eve@example.com", account: recordOf().account }),
    inputOf,
    "FAIL it was signed for eve@example.com of the account",
  ],
  "the account that asked for the signature": [
    () => signed(recordOf(), { person: "ada@example.com", account: "another" }),
    inputOf,
    "FAIL it was signed for ada@example.com of the account another",
  ],
  "the signed statement": [
    () => {
      const { record, signature } = signed(recordOf())
      return { record, signature: { ...signature, statement: signature.statement.replace("11:00:01", "11:00:02") } }
    },
    inputOf,
    "FAIL the signature is of this key",
  ],
}

test.each(LANGUAGES)("a signed record of the same rows passes, in %s", async (language) => {
  const { code, stdout, stderr } = await verify(language, signed(recordOf()))
  expect([stderr, stdout.split("\n").filter((line) => !line.startsWith("ok"))]).toEqual(["", [""]])
  expect(stdout).toContain(
    "ok   refund: at most 10.0% of the automatic yes are wrong: confirmed, and the record says confirmed",
  )
  expect(stdout).toContain("ok   the signature is of this key")
  expect(code).toBe(0)
})

test.each(LANGUAGES)("a record of thresholds for single options passes, in %s", async (language) => {
  const run = acceptedRun({ kind: "options", target: 0.2 })
  const record = signOffRecord(run, { madeAt: "2026-11-28T11:00:00.000Z", person: "ada@example.com" })
  const input = testInputOf(run, "http://127.0.0.1:9")
  if (!record || !input) throw new Error("no rows")
  expect(record.questions[1]?.claims.map(({ option, verdict }) => [option, verdict])).toContainEqual([
    "abuse",
    "confirmed",
  ])
  const { code, stdout } = await verify(language, signed(record), input)
  expect(stdout.split("\n").filter((line) => !line.startsWith("ok"))).toEqual([""])
  expect(stdout).toContain(
    "ok   team: at most 20.0% of the automatic “abuse” are wrong: confirmed, and the record says confirmed",
  )
  expect(code).toBe(0)
})

const CASES = LANGUAGES.flatMap((language) => Object.keys(DIFFERENCES).map((name) => [name, language] as const))

test.each(CASES)("a record that differs by %s fails, in %s", async (name, language) => {
  const [record, input, sentence] = DIFFERENCES[name] ?? []
  const { code, stdout, stderr } = await verify(language, record?.() ?? {}, input?.())
  expect(stdout).toContain(sentence)
  expect([code, stderr]).toEqual([1, ""])
})

test.each(LANGUAGES)("a record without a signature passes unless a key is expected, in %s", async (language) => {
  const unsigned = { record: recordOf(), signature: null }
  expect(await verify(language, unsigned, inputOf(), { PUBLIC_KEY: "" })).toMatchObject({ code: 0 })
  expect(await verify(language, unsigned)).toMatchObject({ code: 1 })
})

test.each(LANGUAGES)("the keys of the service count until they retire, in %s", async (language) => {
  const codeWith = async (keys: object[]) => {
    const url = await listen(createServer((_, response) => void response.end(JSON.stringify({ signing_keys: keys }))))
    return (await verify(language, signed(recordOf()), inputOf(url), { PUBLIC_KEY: "" })).code
  }
  const key = (retired_at: string | null) => ({ id: "sig_1", public_key: PUBLIC_KEY, retired_at })
  // `signed` is of 11:00:01. A test input names another address, but its hashes have no address.
  expect(await codeWith([key(null)])).toBe(0)
  expect(await codeWith([key("2026-11-28T11:00:02.000Z")])).toBe(0)
  expect(await codeWith([key("2026-11-28T11:00:00.000Z")])).toBe(1)
  expect(await codeWith([{ ...key(null), public_key: "A".repeat(43) }])).toBe(1)
})
