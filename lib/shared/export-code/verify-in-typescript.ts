import { BAND_TYPES } from "./test-readings"

const isBand = BAND_TYPES.map((name) => `check.type === "${name}"`).join(" || ")

/** Checks a sign-off record, of an exported test in TypeScript. It needs `TYPESCRIPT_JUDGE`. */
export const VERIFY_IN_TYPESCRIPT = `
type Limits = Pick<Check, "minAccuracy" | "maxWrongOfAutomatic" | "minAutomatic" | "maxMeanError">

interface SignedRecord {
  record: {
    account: string
    person: string
    model: { name: string; pinnedId: string }
    hashes: { rows: string; answers: string; questions: string }
    questions: {
      name: string
      type: string
      rule: Check["band"]
      options?: Check["options"]
      rows: number
      automatic: number
      wrong: number
      limits: Limits
      doubts: string[]
      claims: (Claim & { verdict: string })[]
    }[]
  }
  signature: { statement: string; signature: string; publicKey: string } | null
}

/** Writes canonical JSON (RFC 8785). */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return \`[\${value.map(canonical).join(",")}]\`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return \`{\${members.map(([name, each]) => \`\${JSON.stringify(name)}:\${canonical(each)}\`).join(",")}}\`
}

const sha256 = (value: unknown): string => createHash("sha256").update(canonical(value)).digest("hex")
const isEqual = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other)

/** Returns a row's confidence on the side of a claim; null for a row of the other side. */
function claimConfidence(check: Check, claim: Claim, { probabilities, outcome }: Judged): number | null {
  const side = sideOf(check, claim)
  if (side >= 0 && outcome !== side) return null
  if (claim.option !== undefined) return probabilities[outcome] ?? 0
  const yes = probabilities[1] ?? 0
  if (side >= 0) return side === 1 ? yes : 1 - yes
  // Equal confidences of both sides differ by rounding.
  if (${isBand}) return Math.round(Math.max(yes, 1 - yes) * 1e12) / 1e12
  return confidenceOf(check, probabilities)
}

/** Returns how many of the surest rows the walk of a claim certifies. */
function certifiedRows(check: Check, claim: Claim, rows: Judged[]): number {
  const sorted = rows
    .flatMap((row) => {
      const confidence = claimConfidence(check, claim, row)
      return confidence === null ? [] : [{ confidence, isWrong: Math.abs(row.outcome - row.label) > slackOf(check) }]
    })
    .sort((a, b) => b.confidence - a.confidence)
  const steps: { rows: number; wrong: number }[] = []
  let wrong = 0
  sorted.forEach(({ confidence, isWrong }, at) => {
    if (isWrong) wrong++
    if (sorted[at + 1]?.confidence !== confidence) steps.push({ rows: at + 1, wrong })
  })
  const allowed = allowedErrors(sorted.length, claim.target, claim.level)
  const most = (at: number) => allowed[steps[at]?.rows ?? 0] ?? -1
  const first = steps.findIndex((_, at) => most(at) >= 0)
  const half = steps.findIndex((step) => step.rows >= Math.ceil(sorted.length / 2))
  const ends = (claim.starts === 2 ? [first, half] : [first]).map((start) => {
    let at = start
    while (at >= 0 && at < steps.length && (steps[at]?.wrong ?? 0) <= most(at)) at++
    return at > start ? (steps[at - 1]?.rows ?? 0) : 0
  })
  return first < 0 ? 0 : Math.max(...ends)
}

/** Returns whether the accepted answers show a claim: by the walk, or by the half that checked the rule. */
function isShown(check: Check, claim: Claim, at: number, rows: Judged[]): boolean {
  const { automatic, wrong } = countClaim(check, claim, at, rows)
  if (claim.method === "walk") return automatic > 0 && automatic <= certifiedRows(check, claim, rows)
  return wrong <= (allowedErrors(automatic, claim.target, claim.level)[automatic] ?? -1)
}

/** Recomputes what a record says of one question. */
function verifyQuestion(check: Check, at: number, said: SignedRecord["record"]["questions"][number] | undefined): boolean {
  const rows = judgedRows(check, at, acceptedAnswers(at))
  const acted = rows.filter(({ action }) => action !== null)
  const wrong = acted.filter(({ isWrong }) => isWrong).length
  const counts = [rows.length, acted.length, wrong]
  const isSame = said?.name === check.question && said.type === check.type && isEqual([said.rule, said.options ?? null], [check.band, check.options ?? null])
  const { minAccuracy, maxWrongOfAutomatic, minAutomatic, maxMeanError } = check
  const limits: Limits = { minAccuracy, maxWrongOfAutomatic, minAutomatic, maxMeanError }
  const isCounted = isEqual([said?.rows, said?.automatic, said?.wrong], counts)
  const met = [
    report(isSame, \`\${check.question}: the rule of the record is that of the test\`),
    report(isEqual(said?.limits, limits), \`\${check.question}: the limits of the record are those of the test\`),
    report(isCounted, \`\${check.question}: \${rows.length} rows, \${acted.length} automatic, \${wrong} of them wrong\`),
    report(said?.claims.length === check.claims.length, \`\${check.question}: the record has \${check.claims.length} claims\`),
  ]
  check.claims.forEach((claim, index) => {
    const { verdict, ...claimed } = said?.claims[index] ?? { verdict: "missing" }
    const isConfirmed = isShown(check, claim, at, rows) && said?.doubts.length === 0
    const found = { ...claim, ...countClaim(check, claim, at, rows) }
    const name = \`\${check.question}: at most \${upTo(claim.target)} of the \${whatOf(claim)}\`
    met.push(report(isEqual(claimed, found), \`\${name}: \${found.wrong} of \${found.automatic} are\`))
    const expected = isConfirmed ? "confirmed" : "not confirmed"
    met.push(report(verdict === expected, \`\${name}: \${expected}, and the record says \${verdict}\`))
  })
  return met.every(Boolean)
}

interface PublicKey {
  id: string
  public_key: string
  retired_at: string | null
}

/** Returns the public keys to trust: the one in PUBLIC_KEY, or those that the service lists. */
async function trustedKeys(): Promise<PublicKey[]> {
  const given = process.env.PUBLIC_KEY
  if (given) return [{ id: "", public_key: given, retired_at: null }]
  const response = await fetch(\`\${BASE_URL}/status.json\`, { signal: AbortSignal.timeout(30_000) })
  const { signing_keys: keys } = (await response.json()) as { signing_keys?: PublicKey[] }
  return keys ?? []
}

async function verifySignature({ record, signature }: SignedRecord): Promise<boolean> {
  if (!signature) return report(!process.env.PUBLIC_KEY, "the record has no signature")
  const { account, at, person, sha256: signed } = JSON.parse(signature.statement) as Record<string, string>
  const key = (await trustedKeys()).find((each) => each.public_key === signature.publicKey)
  const isTrusted = key !== undefined && (key.retired_at === null || (at ?? "") <= key.retired_at)
  const publicKey = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: signature.publicKey }, format: "jwk" })
  const isValid = verify(null, Buffer.from(signature.statement), publicKey, Buffer.from(signature.signature, "base64url"))
  return [
    report(isTrusted, \`the key \${signature.publicKey} is one of the service\`),
    report(isValid, "the signature is of this key"),
    report(signed === sha256(record), \`the signed SHA-256 is that of the record: \${signed}, \${at}\`),
    report(account === record.account && person === record.person, \`it was signed for \${person} of the account \${account}\`),
  ].every(Boolean)
}

/** Recomputes the hashes and the verdicts of a record from evaluation.json. Returns whether everything is the same. */
async function verifyRecord(file: string): Promise<boolean> {
  const signed: SignedRecord = JSON.parse(readFileSync(file, "utf8"))
  const { model, hashes, questions } = signed.record
  const met = [
    report(sha256(DATA.rows.map(({ answers: _, ...row }) => row)) === hashes.rows, "the rows are those of the record"),
    report(sha256(DATA.rows.map(({ answers }) => answers)) === hashes.answers, "the answers are those of the record"),
    report(sha256(JSON.parse(QUESTIONS)) === hashes.questions, "the questions are those of the record"),
    report(isEqual(model, { name: MODEL, pinnedId: DATA.pinnedId }), \`the model is \${DATA.pinnedId}, asked for as \${MODEL}\`),
    report(questions.length === DATA.checks.length, \`the record has \${DATA.checks.length} questions\`),
    ...DATA.checks.map((check, at) => verifyQuestion(check, at, questions[at])),
    await verifySignature(signed),
  ]
  return met.every(Boolean)
}
`
