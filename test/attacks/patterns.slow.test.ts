import { readdirSync, readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import path from "node:path"
import { runInNewContext } from "node:vm"
import { type CallExpression, type NewExpression, parseSync, Visitor } from "oxc-parser"
import { check } from "recheck"
import { expect, test, vi } from "vitest"
import { patternOf } from "@/lib/server/engines/lexical/cues"

/** Patterns whose time grows faster than their input, which is bounded or written by the operator or the project. */
const BOUNDED: Record<string, string> = {
  "app/(console)/playground/answers/compare-texts.ts: \\S*$": "reads an excerpt of fixed length",
  "lib/server/billing/topup-terms.ts: \\.?0+$": "reads an amount",
  "lib/server/docs/parse.ts: \\/v1\\/decisions .*-d '(\\{.*\\})'": "reads the project's documents",
  'lib/server/docs/request-programs.ts: ^(\\s*)"([A-Za-z_]\\w*)":': "reads the project's documents",
  'lib/server/docs/request-programs.ts: ^```decision title="([\\w-]+)"\\n(.*?)\\n```$': "reads the project's documents",
  "lib/server/docs/rights-table.ts: \\| Right \\|.*?\\n\\n": "reads the project's documents",
  "lib/server/docs/settings-table.ts: \\| Setting \\|.*?\\n\\n": "reads the project's documents",
  "lib/server/engines/labels/chat-frame.ts:  +$": "reads the template of the operator's model",
  "lib/server/engines/labels/client-tokens.ts: ^(?:<[^<>\\n]*\\p{L}[^<>\\n]*>|\\[\\/?[A-Za-z_][A-Za-z0-9_]*\\])$":
    "reads the name of one token",
  "lib/server/engines/lexical/cues.ts: (?:\\b(?:not|no|never|without|neither|nobody|dont|didnt)|(?<!\\bca)n't)(?: (?!(?:please|but|so|because|and|just|only)\\b)[^ .!?,;:\\n]+){0,4} $":
    "reads 32 characters",
  "lib/server/engines/lexical/detectors.ts: \\b(?:cancel\\w*|unsubscrib\\w*|terminat\\w*|churn\\w*|(?:end|close|quit|stop|leave)(?: \\w+){0,2} (?:subscription|account|contract|membership|plan|paying|service))\\b":
    "repeats at most two words",
  'lib/server/engines/system-one/object-states.ts: "(?:[^"\\\\]|\\\\.)*"':
    "reads valid JSON, in which each string ends",
  "lib/server/engines/system-one/transport.ts: \\/+$": "reads the operator's address of an engine",
  "lib/server/operator/arguments.ts: \\/+$": "reads the operator's address of an engine",
  "lib/server/platform/setting-values.ts: \\/+$": "reads the operator's setting",
  "lib/server/platform/settings.ts: \\/+$": "reads the operator's setting",
  "lib/server/platform/client-address.ts: %.*$": "reads a header, which has no line break",
  "lib/shared/auth/email-address.ts: ^[ \\t\\r\\n]+|[ \\t\\r\\n]+$": "reads at most 1,000 characters",
  "lib/shared/format.ts: 0+$": "reads an amount",
  "lib/shared/keys/plan-limit.ts: \\B(?=(\\d{3})+$)": "reads a number",
  "lib/shared/share-link/share-link.ts: =+$": "reads Base64, which ends with at most two equals signs",
  "server.ts: \\/dist(\\/.*)?$": "reads the path of the program",
}

/** Files that make a pattern only when they are used, and of what. */
const MADE_LATER: Record<string, string> = {
  "lib/server/api/openapi/account-fields.ts": "a prefix of ids",
  "lib/server/engines/labels/template-date.ts": "a date",
  "lib/server/engines/own/decision-prompt.ts": "escaped tokens of the operator's model",
  "lib/server/engines/system-one/neutral-texts.ts": "escaped tokens of the operator's model",
  "lib/server/engines/tokenizer/open-tokenizer.ts": "escaped tokens of the operator's model",
  "lib/server/management/admin-fields.ts": "a prefix of ids",
  "lib/server/platform/ids.ts": "a prefix of ids",
}

/** Files that make patterns of many phrases, whose check takes minutes. Each phrase is timed instead. */
const TIMED = ["lib/server/engines/lexical/cues.ts"]

/**
 * Without limits of time for a single text, which a busy machine reaches. They are counted in characters instead. A large automaton
 * takes ten seconds, so large patterns are tried with many texts, as recheck does with larger ones by default.
 */
const LIMITS = { timeout: 120_000, incubationTimeout: null, attackTimeout: null, maxNFASize: 2_000 }

const sourceFiles = () =>
  ["app", "components", "lib", "questions"]
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`))
    .concat("server.ts")
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))

interface Pattern {
  pattern: string
  flags: string
}

/** Returns the patterns that a program contains as literals, and how often it makes one of a text. */
function readPatterns(file: string, text: string): { literals: Pattern[]; calls: number } {
  const literals: Pattern[] = []
  let calls = 0
  const count = ({ callee }: CallExpression | NewExpression) => {
    if (callee.type === "Identifier" && callee.name === "RegExp") calls++
  }
  const visitor = new Visitor({
    Literal(node) {
      if ("regex" in node) literals.push(node.regex)
    },
    NewExpression: count,
    CallExpression: count,
  })
  visitor.visit(parseSync(file, text).program)
  return { literals, calls }
}

/** Loads these files and returns the patterns that each makes of a text meanwhile. */
async function madeWhileLoading(files: string[]): Promise<Map<string, Pattern[]>> {
  const made = new Map<string, Pattern[]>(files.map((file) => [file, []]))
  const record = (regexp: RegExp): RegExp => {
    const [, , caller = ""] = new Error().stack?.split("\n").slice(1) ?? []
    const file = files.find((each) => caller.includes(`/${each}:`))
    if (file) made.get(file)?.push({ pattern: regexp.source, flags: regexp.flags })
    return regexp
  }
  vi.resetModules()
  const recording = new Proxy(RegExp, {
    construct: (target, parts, newTarget) => record(Reflect.construct(target, parts, newTarget)),
    apply: (target, self, parts) => record(Reflect.apply(target, self, parts)),
  })
  vi.stubGlobal("RegExp", recording)
  try {
    for (const file of files) await import(path.resolve(file))
  } finally {
    vi.unstubAllGlobals()
  }
  return made
}

/** Without a repetition, a pattern reads no more than its own length from each start. */
const REPEATS = /[*+{]/

/** Returns the patterns of a file whose time grows faster than their input, or whose check does not end. */
async function superLinear(file: string, patterns: readonly Pattern[]): Promise<string[]> {
  const slow: string[] = []
  for (const { pattern, flags } of patterns) {
    if (!REPEATS.test(pattern) || `${file}: ${pattern}` in BOUNDED) continue
    const { status } = await check(pattern, flags, LIMITS)
    if (status === "vulnerable") slow.push(`${file}: ${pattern}`)
    if (status === "unknown") slow.push(`${file}: ${pattern} (unknown)`)
  }
  return slow
}

test("a pattern that takes quadratic time is found", async () => {
  const text = "export const isDouble = (text: string) => /\\?[^?]*\\w[^?]*\\?/.test(text) || /^a+$/.test(text)"
  expect(await superLinear("planted.ts", readPatterns("planted.ts", text).literals)).toEqual([
    "planted.ts: \\?[^?]*\\w[^?]*\\?",
  ])
})

/** Splits a pattern at the `|` outside of all groups: a search takes as long as those of its alternatives together. */
function alternativesOf(pattern: string): string[] {
  const alternatives = [""]
  let depth = 0
  for (const [part] of pattern.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|./g)) {
    if (part === "(") depth++
    if (part === ")") depth--
    if (part === "|" && depth === 0) alternatives.push("")
    else alternatives[alternatives.length - 1] += part
  }
  return alternatives
}

/** Returns texts that a phrase begins to match again and again: its own words, and what its classes contain. */
function attackTexts(phrase: string, length: number): string[] {
  const words = phrase.replaceAll(/\(\?<?[:!=]|\\[a-z]|\[[^\]]*\]/gi, " ").match(/[\w'$€£]+/g) ?? []
  const units = [...new Set(words)].flatMap((word) => [
    word,
    `${word} `,
    `${word} a `,
    `${word} 1.`,
    `${word}'`,
    `${word}-`,
  ])
  return [...units, "a", "a ", "1", "1 ", "1.", "$1,", "a?", "http://", "!"].map((unit) =>
    unit.repeat(Math.ceil(length / unit.length)),
  )
}

const TIMEOUT_MS = 1_000

/** Returns the ms that this thread has run on a processor, which other processes do not lengthen; elsewhere than on Linux, the time. */
function ranMs(): number {
  try {
    return Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ", 1)[0]) / 1e6
  } catch {
    return performance.now()
  }
}

/** Returns how long it takes to find all matches, in milliseconds: the shortest of some attempts, or the timeout. */
function timeOf(pattern: RegExp, text: string, attempts: number): number {
  const times = Array.from({ length: attempts }, () => {
    const start = ranMs()
    try {
      runInNewContext("text.replace(pattern, '')", { text, pattern }, { timeout: TIMEOUT_MS })
      return ranMs() - start
    } catch {
      return TIMEOUT_MS
    }
  })
  return Math.min(...times)
}

/** Quadratic time takes 64 times as long for eight times the text, which a busy machine does not hide. */
function isSlow(pattern: RegExp, short: string, long: string): boolean {
  if (timeOf(pattern, long, 1) <= 20) return false
  const shortMs = timeOf(pattern, short, 3)
  return shortMs === TIMEOUT_MS || timeOf(pattern, long, 3) > 20 * Math.max(1, shortMs)
}

/** Returns the phrases of a pattern whose time grows faster than their input. */
function slowPhrases({ pattern, flags }: Pattern): string[] {
  return alternativesOf(pattern)
    .filter((phrase) => REPEATS.test(phrase))
    .filter((phrase) => {
      const [short, long] = [attackTexts(phrase, 4_000), attackTexts(phrase, 32_000)]
      return short.some((text, at) => isSlow(new RegExp(phrase, flags), text, long[at] ?? ""))
    })
}

test("a phrase that takes quadratic time is found, whichever of its pattern's it is", () => {
  const phrases = "refund, (get|want) … money, call \\S*now, \\d+%"
  const { source, flags } = patternOf(phrases)
  expect(slowPhrases({ pattern: source, flags })).toEqual([])
  expect(slowPhrases({ pattern: `${source}|buy.*now`, flags })).toEqual(["buy.*now"])
  expect(slowPhrases({ pattern: `\\d+%|${source}`, flags })).toEqual(["\\d+%"])
  expect(slowPhrases({ pattern: `${source}|(?:a|a)+ b`, flags })).toEqual(["(?:a|a)+ b"])
})

test("patterns take linear time, except for short or trusted texts", async () => {
  const read = new Map(sourceFiles().map((file) => [file, readPatterns(file, readFileSync(file, "utf8"))]))
  const makers = [...read].filter(([, { calls }]) => calls > 0).map(([file]) => file)
  const made = await madeWhileLoading(makers)
  expect(made.get("lib/shared/long-runs.ts")?.map(({ flags }) => flags)).toEqual(["gu", "u"])
  const unseen = makers.filter((file) => (made.get(file)?.length ?? 0) < (read.get(file)?.calls ?? 0))
  expect(unseen.toSorted()).toEqual(Object.keys(MADE_LATER).toSorted())
  for (const file of TIMED) {
    expect(made.get(file)?.length).toBeGreaterThan(20)
    expect(made.get(file)?.flatMap(slowPhrases)).toEqual([])
    made.delete(file)
  }
  const all = [...read].map(([file, { literals }]) => [file, [...literals, ...(made.get(file) ?? [])]] as const)
  const names = new Set(all.flatMap(([file, patterns]) => patterns.map(({ pattern }) => `${file}: ${pattern}`)))
  expect(Object.keys(BOUNDED).filter((name) => !names.has(name))).toEqual([])
  const slow: string[] = []
  const left = all.values()
  const checkLeft = async () => {
    for (const [file, patterns] of left) slow.push(...(await superLinear(file, patterns)))
  }
  await Promise.all(Array.from({ length: availableParallelism() }, checkLeft))
  expect(slow).toEqual([])
}, 300_000)
