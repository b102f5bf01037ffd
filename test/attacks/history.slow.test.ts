import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import path from "node:path"
import readline from "node:readline"
import { expect, test } from "vitest"
import { tempFolder } from "@/test/temp-folder"

/** What each kind of secret looks like. A file of samples, such as of the secrets that a double accepts, has shorter ones. */
const SECRETS = {
  "a private key": /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s*[\w+/]{32}|-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----$/,
  "a key of this service": /\bsvc[dta]_[\dA-Za-z]{42}\b/,
  "a live key of Stripe": /\b[rs]k_live_[\dA-Za-z]{16,}/,
  "a test key of Stripe": /\b[rs]k_test_[\dA-Za-z]{24,}/,
  "a webhook secret": /\bwhsec_[\dA-Za-z+/]{32,}/,
  "a token of GitHub": /\bgh[oprsu]_[\dA-Za-z]{36}|\bgithub_pat_\w{22,}/,
  "a token of npm": /\bnpm_[\dA-Za-z]{36}/,
  "a token of Hugging Face": /\bhf_[A-Za-z]{34}/,
  "a key of Amazon": /\b(?:AKIA|ASIA)[\dA-Z]{16}\b/,
  "a key of Google": /\bAIza[\w-]{35}/,
  "a token of Slack": /\bxox[abprs]-[\dA-Za-z-]{10,}/,
  "a signed token": /\beyJ[\w-]{20,}\.eyJ[\w-]{20,}\.[\w-]{20,}/,
}

/** Secrets that were never valid: a key of zeros with its checksum, and the example of the Standard Webhooks specification. */
const SAMPLES = /svcd_0{36}|whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw/

/** Reads each line that a commit of any branch added. Returns the kinds of secrets, each with its commit and file. */
async function secretsIn(folder: string): Promise<string[]> {
  const args = [
    "log",
    "--all",
    "--patch",
    "--unified=0",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--format=commit %h",
  ]
  const git = spawn("git", args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] })
  const ended = once(git, "close")
  const found = new Set<string>()
  let commit = ""
  let file = ""
  for await (const line of readline.createInterface({ input: git.stdout })) {
    if (line.startsWith("commit ")) commit = line.slice(7)
    else if (line.startsWith("+++ ")) file = line.slice(6)
    else if (line.startsWith("+") && !SAMPLES.test(line))
      for (const [kind, pattern] of Object.entries(SECRETS))
        if (pattern.test(line)) found.add(`${kind} in ${commit}:${file}`)
  }
  const [code] = await ended
  if (code !== 0) throw new Error(`git log ended with ${code}`)
  return [...found]
}

const git = (folder: string, ...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" }).trim()

const letters = (count: number) => "a".repeat(count)
/** One secret of each kind, put together here so that the project's own history does not hold it. */
const EXAMPLES: Record<keyof typeof SECRETS, string> = {
  "a private key": `-----BEGIN EC ${"PRIVATE"} KEY-----`,
  "a key of this service": `svcd_${letters(42)}`,
  "a live key of Stripe": `sk_live_${letters(24)}`,
  "a test key of Stripe": `sk_test_${letters(24)}`,
  "a webhook secret": `whsec_${letters(32)}`,
  "a token of GitHub": `ghp_${letters(36)}`,
  "a token of npm": `npm_${letters(36)}`,
  "a token of Hugging Face": `hf_${letters(34)}`,
  "a key of Amazon": `AKIA${letters(16).toUpperCase()}`,
  "a key of Google": `AIza${letters(35)}`,
  "a token of Slack": `xoxb-${letters(24)}`,
  "a signed token": `eyJ${letters(20)}.eyJ${letters(20)}.${letters(20)}`,
}

test.each(Object.entries(EXAMPLES))("%s that a later commit removed is found in the history", async (kind, example) => {
  const folder = tempFolder()
  const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
  git(folder, "init", "--quiet")
  const [hash] = [`SECRET=${example}`, "SECRET="].map((text) => {
    writeFileSync(path.join(folder, ".env"), text)
    git(folder, "add", ".env")
    git(folder, ...author, "commit", "--quiet", "--message", "chore: settings")
    return git(folder, "rev-parse", "--short", "HEAD")
  })
  expect(await secretsIn(folder)).toEqual([`${kind} in ${hash}:.env`])
})

test("no commit of the project that this clone has holds a secret", async () => {
  // A shallow clone has only the newest part.
  if (git(".", "rev-parse", "--is-shallow-repository") === "true")
    process.stdout.write("The history is incomplete. To search all of it, run: git fetch --unshallow\n")
  expect(Number(git(".", "rev-list", "--count", "--all"))).toBeGreaterThan(0)
  expect(await secretsIn(".")).toEqual([])
})
