import { execFileSync } from "node:child_process"
import fs from "node:fs"

/**
 * Finds words that this project does not use, in text files that Git does not ignore and in their names:
 * `node lint/check-words.mjs [FOLDER…]`. Names such as `letGo` and `let-go` are read as words. Each has
 * what to write instead.
 */
const WORDS = [
  // A service answers a request. A function returns a value.
  [/\banswers (?:whether|how|what|when|which|null|undefined|true|false|nothing)\b/i, "returns"],
  [
    /(?:[;:,.] |\/\*\* | \* )answers (?:the|an?|its|their|all)\b(?! (?:\w+ )?(?:request|call|question|run|\d))/i,
    "returns",
  ],
  // Rows "cannot tell" whether a claim holds: the statisticians' term.
  [/\b(?<!cannot )(?:tells?|told)\b/i, "reports, shows, notifies, receives"],
  [/\bdoors?\b/i, "route, endpoint, entry point"],
  [/\b(?:what|where(?:ver)?|how) (?:it |they |one |he |she |a request )?stands?\b/i, "current value, position, state"],
  [/\bst(?:ands?|ood) (?:still|together)\b/i, "is frozen, suspended, listed together"],
  [/\blet(?:s|ting)? (?:go|(?:it|them|a hold|the hold) go)\b/i, "release"],
  [/\b(?:takes?|taken|took|taking) (?:\w+ )?back\b/i, "debit, reverse"],
  [/\bmint(?:s|ed|ing)?\b/, "create"],
  [/\bstrangers?\b/i, "another account, tenant isolation"],
  [/\bmend(?:s|ed|ing)?\b/i, "fix"],
  [/\b(?:is|are|was|were) away\b/i, "is unavailable, unreachable"],
  [/\ba reading of\b/i, "a fetch from"],
  [/\bthe most (?:it|that|there|they|he|she|one|a request|this request|a hold)\b/i, "the maximum"],
  [/\bnone of (?:ours|theirs|its own|his|hers)\b/i, "another account's, unknown"],
  [/\bside by side\b/i, "concurrently, next to each other"],
  [/\bin turn\b/i, "sequentially"],
  [/\bin words\b/i, "as text, in a message"],
  [/\b(?:sets?|setting) aside\b/i, "hold, reserve"],
  [/\bspends as\b/i, "charge to"],
  [/\b(?:dearest|dearer)\b/i, "most expensive"],
  [/\ba (?:wait|look|try(?! out))\b/i, "delay, check, attempt"],
  [/\bput right\b/i, "fix, correct"],
  [/\bknocks?\b/i, "calls, requests"],
  [/\bof (?:ours|theirs)\b/i, "name the owner"],
  [/\bwhoever\b/i, "the caller, anyone who"],
  [/\bbec(?:a|o)mes? of\b/i, "the status of"],
  [/\bwhat is so\b/i, "the current state"],
  [/\bcall(?:s|ed|ing)? off\b/i, "abort, cancel"],
]

/** Files with fixed wording: the specification and its quotes, released migrations, sample texts, generated files and the word lists. */
const EXEMPT = [
  /^docs\/spec\.md$/,
  /^lint\//,
  /^prisma\/migrations\//,
  /^bench\/lexical\//,
  /vocabulary\//,
  /package-lock\.json$/,
  /fixtures\.json$/,
]

const TEXT =
  /(?:\.(?:[cm]?[jt]sx?|md|sql|css|json|prisma|ya?ml|cfg|conf|service|py)|(?:^|\/)(?:Caddyfile|Containerfile))$/
const folders = process.argv.slice(2)

const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", ...folders], {
  encoding: "utf8",
})
const files = listed
  .split("\n")
  .filter((file) => TEXT.test(file) && !EXEMPT.some((exempt) => exempt.test(file)) && fs.existsSync(file))

/** Separates the words of names: `letGo` and `let-go` become `let Go` and `let go`. */
const separateWords = (line) => line.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/([a-z])-(?=[a-z])/gi, "$1 ")

let faults = 0
for (const file of files) {
  // Line 0 is the file's own name.
  const lines = [file, ...fs.readFileSync(file, "utf8").split("\n")]
  for (const [i, line] of lines.entries())
    for (const [word, instead] of WORDS) {
      const [found] = word.exec(separateWords(line)) ?? []
      if (!found) continue
      faults++
      console.error(`${file}:${i} "${found.trim()}": write ${instead}`)
    }
}
if (faults > 0) {
  console.error(`\n${faults} words to replace. The list is in lint/check-words.mjs.`)
  process.exitCode = 1
}
