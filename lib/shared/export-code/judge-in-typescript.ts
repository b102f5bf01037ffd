import { BAND_TYPES, ownReadings, SLACK_TYPES } from "./test-readings"

const returns = (): string =>
  ownReadings("outcome")
    .map(({ name, typescript }) => `  if (check.type === "${name}") return ${typescript}\n`)
    .join("")

const isBand = BAND_TYPES.map((name) => `check.type === "${name}"`).join(" || ")

/** Judges answers, of an exported test in TypeScript. It needs `DATA`, `Check` and `Claim`. */
export const TYPESCRIPT_JUDGE = `
/** Returns the outcome that an answer stands for. For a score it is the nearest level. */
function outcomeOf(check: Check, probabilities: number[]): number {
${returns()}  return probabilities.indexOf(Math.max(...probabilities))
}

/** Returns how far an automatic answer may be from its label without being wrong. */
function slackOf({ type }: Check): number {
${SLACK_TYPES.map(({ name, slack }) => `  if (type === "${name}") return ${slack}\n`).join("")}  return 0
}

/** Returns the probability that the answer is right, or near enough. */
function confidenceOf(check: Check, probabilities: number[]): number {
  const outcome = outcomeOf(check, probabilities)
  return probabilities.filter((_, at) => Math.abs(at - outcome) <= slackOf(check)).reduce((sum, each) => sum + each, 0)
}

/** Returns the outcome that is acted on without a review, or null. */
function automatic(check: Check, probabilities: number[]): number | null {
  if (check.options) {
    const outcome = outcomeOf(check, probabilities)
    const from = check.options.find(([option]) => option === check.outcomes[outcome])?.[1] ?? null
    return from !== null && (probabilities[outcome] ?? 0) >= from ? outcome : null
  }
  if (!check.band) return null
  const { low, high } = check.band
  if (!(${isBand}))
    return high !== null && confidenceOf(check, probabilities) >= high ? outcomeOf(check, probabilities) : null
  const yes = probabilities[1] ?? 0
  if (high !== null && yes >= high) return 1
  return low !== null && yes < low ? 0 : null
}

/** An answer with its label. \`isRight\` is exact; \`isWrong\` is about acting on it. */
interface Judged {
  row: Row
  probabilities: number[]
  label: number
  outcome: number
  action: number | null
  isRight: boolean
  isWrong: boolean
}

/** Returns the labelled rows of one question with the answers, which are in the order of the rows. */
function judgedRows(check: Check, at: number, answers: (number[] | null | undefined)[]): Judged[] {
  return DATA.rows.flatMap((row, index): Judged[] => {
    const [label, probabilities] = [row.labels[at], answers[index]]
    if (label === null || label === undefined || !probabilities) return []
    const outcome = outcomeOf(check, probabilities)
    const action = automatic(check, probabilities)
    const isWrong = Math.abs((action ?? outcome) - label) > slackOf(check)
    return [{ row, probabilities, label, outcome, action, isRight: outcome === label, isWrong }]
  })
}

const acceptedAnswers = (at: number) => DATA.rows.map(({ answers }) => answers[at])

/** Lists the answers that changed since they were accepted. */
function listChanges(check: Check, at: number, answers: number[][]): void {
  const before = new Map(judgedRows(check, at, acceptedAnswers(at)).map((each) => [each.row, each.outcome]))
  const rows = judgedRows(check, at, answers)
  const changed = rows.filter(({ row, outcome }) => before.get(row) !== outcome)
  console.log(\`     \${check.question}: \${changed.length} of \${rows.length} answers changed\`)
  const nameOf = (outcome?: number) => JSON.stringify(check.outcomes[outcome ?? -1] ?? "none")
  for (const { row, outcome, label } of changed.slice(0, 50))
    console.log(\`     line \${row.line}: \${nameOf(before.get(row))} before, \${nameOf(outcome)} now, right is \${nameOf(label)}\`)
  if (changed.length > 50) console.log(\`     and \${changed.length - 50} more\`)
}

/**
 * Returns per number of rows the highest number of wrong ones that still shows "at most target wrong", -1 for none: the exact
 * binomial test at \`level\`.
 */
function allowedErrors(rows: number, target: number, level: number): number[] {
  const allowed = [-1]
  let [errors, mass, sum] = [0, 1, 1]
  for (let count = 1; count <= rows; count++) {
    sum -= target * mass
    mass *= ((1 - target) * count) / (count - errors)
    const next = () => (mass * (count - errors) * target) / ((errors + 1) * (1 - target))
    while (errors < count && sum + next() <= level) {
      mass = next()
      sum += mass
      errors++
    }
    allowed.push(sum <= level ? errors : errors - 1)
  }
  return allowed
}

const SIDES = ["no", "yes"]

/** Returns the outcome that a claim is about; -1 for all. */
const sideOf = (check: Check, { subject, option }: Claim): number =>
  option === undefined ? SIDES.indexOf(subject) : check.outcomes.indexOf(option)

/** Returns the rows that a claim is about: those that check the rule, or all. */
const claimRows = (claim: Claim, at: number, rows: Judged[]): Judged[] =>
  claim.method === "split" ? rows.filter(({ row }) => row.checking[at] === 1) : rows

/** Counts the automatic answers that a claim is about. */
function countClaim(check: Check, claim: Claim, at: number, rows: Judged[]): { automatic: number; wrong: number } {
  const side = sideOf(check, claim)
  const acted = claimRows(claim, at, rows).filter(({ action }) => action !== null && (side < 0 || action === side))
  return { automatic: acted.length, wrong: acted.filter(({ isWrong }) => isWrong).length }
}

/** Returns the probability that as many rows or more got worse, when getting worse and better are equally likely. */
function chanceOfLoss(worse: number, better: number): number {
  const count = worse + better
  let [logarithm, sum] = [-count * Math.LN2, 0]
  for (let at = count; at >= worse; at--) {
    sum += Math.exp(logarithm)
    logarithm += Math.log(at / (count - at + 1))
  }
  return Math.min(1, sum)
}

/** Shows a share with one decimal, as the console does. */
function percent(share: number): string {
  const text = (share * 100).toFixed(1)
  if (share > 0 && text === "0.0") return "<0.1%"
  return share < 1 && text === "100.0" ? ">99.9%" : \`\${text}%\`
}

/** Shows a largest share, rounded up. */
const upTo = (share: number) => \`\${(Math.ceil(share * 1000 - 1e-9) / 10).toFixed(1)}%\`

/** Prints a line and returns whether it is met. */
function report(isMet: boolean, line: string): boolean {
  console.log(\`\${isMet ? "ok  " : "FAIL"} \${line}\`)
  return isMet
}

const WHAT: Record<string, string> = {
  yes: "automatic yes are wrong",
  no: "automatic no are wrong",
  all: "automatic answers are wrong",
  within: "automatic scores are more than one level off",
}

/** Names the answers that a claim is about, and what they must not be. */
const whatOf = ({ subject, option }: Claim): string =>
  option === undefined ? (WHAT[subject] ?? subject) : \`automatic “\${option}” are wrong\`

/** Reports whether the answers still show what was claimed of the accepted ones. */
function judgeClaim(check: Check, claim: Claim, at: number, rows: Judged[]): boolean {
  const { automatic, wrong } = countClaim(check, claim, at, rows)
  const most = allowedErrors(automatic, claim.target, claim.level)[automatic] ?? -1
  const shown = wrong <= most ? "is shown" : "is no longer shown"
  const limit = most < 0 ? "which are too few" : \`and \${most} may be\`
  return report(
    wrong <= most,
    \`\${check.question}: at most \${upTo(claim.target)} of the \${whatOf(claim)} \${shown}: \${wrong} of \${automatic} are, \${limit}\`,
  )
}

/** Reports whether more answers got worse than chance explains (McNemar's exact one-sided test at 5%). */
function judgeLoss(check: Check, at: number, rows: Judged[]): boolean {
  const before = new Map(judgedRows(check, at, acceptedAnswers(at)).map((each) => [each.row, each.isRight]))
  const worse = rows.filter(({ row, isRight }) => before.get(row) === true && !isRight).length
  const better = rows.filter(({ row, isRight }) => before.get(row) === false && isRight).length
  const chance = chanceOfLoss(worse, better)
  const isMet = worse === 0 || chance > 0.05
  const verdict = isMet ? "is within chance" : "is more than chance explains"
  return report(isMet, \`\${check.question}: became wrong \${worse}, became right \${better}, which \${verdict} (p = \${chance.toFixed(4)})\`)
}

/** Prints the figures of one question and returns whether all are as accepted. */
function judge(check: Check, at: number, answers: number[][]): boolean {
  const rows = judgedRows(check, at, answers)
  const acted = rows.filter(({ action }) => action !== null)
  const share = (name: string, count: number, of: number, limit: number | null | undefined, isLeast: boolean) => {
    if (limit === null || limit === undefined) return true
    const value = of === 0 ? 0 : count / of
    const accepted = isLeast ? \`from \${percent(limit)}\` : \`up to \${upTo(limit)}\`
    const line = \`\${check.question}: \${name} is \${percent(value)} (\${count} of \${of}), accepted \${accepted}\`
    return report(isLeast ? value >= limit : value <= limit, line)
  }
  const wrongOf = (of: Judged[]) => of.filter(({ isWrong }) => isWrong).length
  const [no, yes] = SIDES.map((_, side) => acted.filter(({ action }) => action === side))
  const isProved = check.claims.length > 0
  const met = [
    ...check.claims.map((claim) => judgeClaim(check, claim, at, rows)),
    judgeLoss(check, at, rows),
    share("accuracy", rows.filter(({ isRight }) => isRight).length, rows.length, check.minAccuracy, true),
    share("automatic share", acted.length, rows.length, check.minAutomatic, true),
    share("wrong of the automatic", wrongOf(acted), acted.length, isProved ? null : check.maxWrongOfAutomatic, false),
    share("wrong of the automatic yes", wrongOf(yes ?? []), yes?.length ?? 0, isProved ? null : check.maxWrongOfYes, false),
    share("wrong of the automatic no", wrongOf(no ?? []), no?.length ?? 0, isProved ? null : check.maxWrongOfNo, false),
  ]
  if (check.maxMeanError !== null) {
    const distance = rows.reduce((sum, { probabilities, label }) => sum + Math.abs(meanOf(probabilities) - label), 0)
    const error = distance / rows.length
    const line = \`\${check.question}: mean error is \${error.toFixed(3)} levels, accepted up to \${check.maxMeanError}\`
    met.push(report(error <= check.maxMeanError, line))
  }
  return met.every(Boolean)
}

/** Returns the average of the levels, weighted by their probabilities. */
const meanOf = (probabilities: number[]): number => probabilities.reduce((sum, each, level) => sum + level * each, 0)
`
