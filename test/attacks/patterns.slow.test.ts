import { readdirSync, readFileSync } from "node:fs"
import { parseSync, Visitor } from "oxc-parser"
import { check } from "recheck"
import { expect, test } from "vitest"

/** Patterns whose time grows faster than their input, which is bounded or written by the operator or the project. */
const BOUNDED: Record<string, string> = {
  "app/(console)/playground/answers/compare-texts.ts: \\S*$": "reads an excerpt of fixed length",
  "lib/server/billing/topup-terms.ts: \\.?0+$": "reads an amount",
  "lib/server/docs/parse.ts: \\/v1\\/decisions .*-d '(\\{.*\\})'": "reads the project's documents",
  'lib/server/docs/request-programs.ts: ^(\\s*)"([A-Za-z_]\\w*)":': "reads the project's documents",
  'lib/server/docs/request-programs.ts: ^```decision title="([\\w-]+)"\\n(.*?)\\n```$': "reads the project's documents",
  "lib/server/docs/search.ts: \\[([^\\]]+)\\]\\([^)]+\\)": "reads the project's documents",
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
  "lib/shared/auth/schema.ts: ^[ \\t\\r\\n]+|[ \\t\\r\\n]+$": "reads at most 1,000 characters",
  "lib/shared/format.ts: 0+$": "reads an amount",
  "lib/shared/keys/plan-limit.ts: \\B(?=(\\d{3})+$)": "reads a number",
  "lib/shared/share-link/share-link.ts: =+$": "reads Base64, which ends with at most two equals signs",
  "server.ts: \\/dist(\\/.*)?$": "reads the path of the program",
}

const sourceFiles = () =>
  ["app", "components", "lib", "questions"]
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`))
    .concat("server.ts")
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))

/** Returns the patterns that a program contains as literals. */
function patternsOf(file: string, text: string): { pattern: string; flags: string }[] {
  const found: { pattern: string; flags: string }[] = []
  const visitor = new Visitor({
    Literal(node) {
      if ("regex" in node) found.push(node.regex)
    },
  })
  visitor.visit(parseSync(file, text).program)
  return found
}

/** Returns the patterns of a program whose time grows faster than their input, or whose check does not end. */
async function superLinear(file: string, text: string): Promise<string[]> {
  const slow: string[] = []
  for (const { pattern, flags } of patternsOf(file, text)) {
    const { status } = await check(pattern, flags, { timeout: 30_000 })
    if (status === "vulnerable") slow.push(`${file}: ${pattern}`)
    if (status === "unknown") slow.push(`${file}: ${pattern} (unknown)`)
  }
  return slow
}

test("a pattern that takes quadratic time is found", async () => {
  const text = "export const isDouble = (text: string) => /\\?[^?]*\\w[^?]*\\?/.test(text) || /^a+$/.test(text)"
  expect(await superLinear("planted.ts", text)).toEqual(["planted.ts: \\?[^?]*\\w[^?]*\\?"])
})

test("patterns take linear time, except for short or trusted texts", async () => {
  const slow: string[] = []
  for (const file of sourceFiles()) slow.push(...(await superLinear(file, readFileSync(file, "utf8"))))
  expect(slow.filter((each) => !(each in BOUNDED))).toEqual([])
}, 300_000)
