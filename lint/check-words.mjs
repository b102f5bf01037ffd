import { execFileSync } from "node:child_process"
import fs from "node:fs"
import path from "node:path"

/**
 * Finds words that this project does not use, in every tracked text file: `node lint/check-words.mjs [FOLDER…]`.
 * The glossary in CONTRIBUTING.md says which word to use instead.
 */
const WORDS = [
  [/\banswers (?:whether|how|what|when|which|null|true|false|the|a|an|its|their|nothing|again)\b/i, "returns"],
  [/\b(?:tells?|told)\b/i, "reports, shows, notifies, receives"],
  [/\bdoors?\b/i, "route, endpoint, entry point"],
  [/\b(?:what|where|how) (?:it |they |one |he |she )?stands?\b/i, "current value, position, state"],
  [/\blet(?:s|ting)? (?:go|(?:it|them|a hold|the hold) go)\b/i, "release"],
  [/\b(?:takes?|taken|took|taking) (?:\w+ )?back\b/i, "debit, reverse"],
  [/\bmint(?:s|ed|ing)?\b|\bmint(?=[A-Z])/, "create"],
  [/\bstrangers?\b/i, "another account, tenant isolation"],
  [/\bmend(?:s|ed|ing)?\b/i, "fix"],
  [/\b(?:is|are|was|were) away\b/i, "is unavailable, unreachable"],
  [/\ba reading of\b/i, "a fetch from"],
  [/\bthe most (?:it|they|he|she|a request|this request) (?:can|could|may)\b/i, "the maximum"],
  [/\bnone of (?:ours|theirs|its own|his|hers)\b/i, "another account's, unknown"],
  [/\bside by side\b/i, "concurrently, next to each other"],
  [/\bin turn\b/i, "sequentially"],
  [/\bin words\b/i, "as text, in a message"],
  [/\b(?:sets?|setting) aside\b/i, "hold, reserve"],
  [/\bspends as\b/i, "charge to"],
  [/\b(?:dearest|dearer)\b/i, "most expensive"],
  [/\ba (?:wait|look|try)\b/i, "delay, check, attempt"],
  [/\bput right\b/i, "fix, correct"],
  [/\bknocks?\b/i, "calls, requests"],
  [/\bof ours\b/i, "name the owner"],
]

/** The contract keeps its wording; the samples of text that people write keep theirs. */
const EXEMPT = [
  /^docs\/spec\.md$/,
  /^docs\/conformance\.md$/,
  /^lint\/check-words\.mjs$/,
  /^CONTRIBUTING\.md$/,
  /^prisma\/migrations\//,
  /^bench\/lexical\//,
  /vocabulary\//,
  /package-lock\.json$/,
  /fixtures\.json$/,
]

const ROOT = path.join(import.meta.dirname, "..")
const TEXT = /\.(?:[cm]?[jt]sx?|md|sql|css|json|prisma)$/
const folders = process.argv.slice(2)

const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", ...folders], {
  cwd: ROOT,
  encoding: "utf8",
})
const files = listed
  .split("\n")
  .filter(
    (file) => TEXT.test(file) && !EXEMPT.some((exempt) => exempt.test(file)) && fs.existsSync(path.join(ROOT, file)),
  )

let faults = 0
for (const file of files) {
  const lines = fs.readFileSync(path.join(ROOT, file), "utf8").split("\n")
  for (const [i, line] of lines.entries())
    for (const [word, instead] of WORDS) {
      const [found] = word.exec(line) ?? []
      if (!found) continue
      faults++
      console.error(`${file}:${i + 1} "${found}": write ${instead}`)
    }
}
if (faults > 0) {
  console.error(`\n${faults} words to replace. The glossary is in CONTRIBUTING.md.`)
  process.exitCode = 1
}
