import { Alert } from "@/components/ui/alert"
import { type Column, Table } from "@/components/ui/table"
import { limitTexts } from "@/lib/shared/evaluate/export/limit-texts"
import type { RecordSignature } from "@/lib/shared/evaluate/export/record-signature"
import { ruleText } from "@/lib/shared/evaluate/export/rule-text"
import type { RecordedQuestion, SignOffRecord } from "@/lib/shared/evaluate/export/sign-off-record"
import { claimText, formatBound, ONE_TARGET } from "@/lib/shared/evaluate/figures/automation"
import { correctionsText } from "@/lib/shared/evaluate/figures/correction-counts"
import { countOf, formatCount, formatDateTime } from "@/lib/shared/format"
import { scaleOf } from "@/questions/question-types"
import { type Fact, FactList } from "./fact-list"

const timeOf = (at: string): string => `${formatDateTime(new Date(at))} UTC`

interface RecordViewProps {
  record: SignOffRecord
  sha256: string
  signature: RecordSignature | null
}

/** Shows a record as a document: on the page, on paper and as a PDF. */
export function RecordView({ record, sha256, signature }: RecordViewProps) {
  const { madeAt, person, account, set, run, model, method, questions, hashes } = record
  const facts: Fact[] = [
    ["Set", `${set.name}: ${countOf(set.rows, "row")} from ${set.source}`],
    ["Model", model.name === model.pinnedId ? model.pinnedId : `${model.pinnedId}, asked for as ${model.name}`],
    ["Asked", `${timeOf(run.startedAt)}: ${formatCount(run.answered)} answered, ${formatCount(run.failed)} failed`],
    ["Method", `${method.name}, version ${method.version}, δ = ${method.risk}`],
    ["Seeds", `${method.seeds.groups} for groups, ${method.seeds.halves} for halves`],
    ["Made", `${timeOf(madeAt)}, by ${person}`],
    ["Account", account],
  ]
  return (
    <article aria-labelledby="record" className="flex min-w-0 flex-col gap-8">
      <div className="flex flex-col gap-4">
        <h2 id="record" className="font-semibold text-lg">
          Sign-off record
        </h2>
        <FactList facts={facts} />
      </div>
      {questions.map((question) => (
        <Question key={question.name} question={question} />
      ))}
      <section aria-labelledby="hashes" className="flex flex-col gap-3">
        <h3 id="hashes" className="font-semibold">
          SHA-256 of canonical JSON (RFC 8785)
        </h3>
        <FactList
          isCode
          facts={[
            ["Record", sha256],
            ["Rows", hashes.rows],
            ["Answers", hashes.answers],
            ["Questions", hashes.questions],
          ]}
        />
        <p className="max-w-text text-ink-muted text-sm">
          The exported test computes all of this again: <code>node evaluation.test.ts verify RECORD.json</code>
        </p>
      </section>
      {signature ? <Signature signature={signature} /> : null}
      <p className="hidden justify-between gap-8 pt-8 print:flex">
        <span className="grow border-ink border-t pt-1">Name and signature</span>
        <span className="w-40 border-ink border-t pt-1">Date</span>
      </p>
    </article>
  )
}

function Signature({ signature: { statement, signature, publicKey } }: { signature: RecordSignature }) {
  return (
    <section aria-labelledby="signature" className="flex flex-col gap-3">
      <h3 id="signature" className="font-semibold">
        Signature of this installation (Ed25519)
      </h3>
      <FactList
        isCode
        facts={[
          ["Statement", statement],
          ["Signature", signature],
          ["Public key", publicKey],
        ]}
      />
      <p className="max-w-text text-ink-muted text-sm">
        The public keys of this installation are at <code>/status.json</code>. A new key is there within ten seconds.
      </p>
    </section>
  )
}

type Claim = RecordedQuestion["claims"][number]

const CLAIM_COLUMNS: Column<Claim>[] = [
  { head: "Claim", cell: ({ subject, option }) => option ?? subject },
  { head: "Verdict", cell: ({ verdict }) => verdict },
  { head: "α", align: "right", cell: ({ target }) => formatBound(target) },
  { head: "δ per start", align: "right", cell: ({ level }) => level },
  { head: "Method", cell: ({ method }) => method },
  { head: "Automatic", align: "right", cell: ({ automatic }) => formatCount(automatic) },
  { head: "Wrong", align: "right", cell: ({ wrong }) => formatCount(wrong) },
]

function ruleOf({ type, rule, options }: RecordedQuestion): string {
  if (options) {
    const from = options.flatMap(([option, least]) => (least === null ? [] : [`${option} from ${least} up`]))
    return `Automatic ${from.join(", ")}. All else is reviewed.`
  }
  if (!rule) return "Every answer is reviewed."
  const text = ruleText(scaleOf(type), rule)
  return `${text.charAt(0).toUpperCase() + text.slice(1)}. All else is reviewed.`
}

function Question({ question }: { question: RecordedQuestion }) {
  const { name, rows, automatic, wrong, excluded, groups, corrections, claims, limits, doubts, acceptedAt } = question
  const left = excluded.map((each) => `${formatCount(each.rows)} ${each.reason}`).join("; ")
  const facts: Fact[] = [
    ["Question", JSON.stringify(question.question)],
    ["Rule", ruleOf(question)],
    ["Accepted", acceptedAt ? timeOf(acceptedAt) : "No rule is accepted"],
    ["Rows", `${formatCount(rows)} count: ${formatCount(automatic)} automatic, ${formatCount(wrong)} of them wrong`],
    ["Limits", limitTexts(limits, claims).join(". ") || "None"],
    ["Left out", left || "None"],
    ["Groups", groups ?? "Every row counts"],
    ["Corrections", correctionsText(corrections) ?? "None"],
  ]
  return (
    <section aria-label={`Question ${name}`} className="flex min-w-0 flex-col gap-4 border-line border-t pt-6">
      <h3 className="wrap-anywhere font-mono font-semibold">{name}</h3>
      {claims.map((claim) => (
        <Alert
          key={`${claim.subject} ${claim.option ?? ""}`}
          tone={claim.verdict === "confirmed" ? "ok" : "warn"}
          title={claim.verdict === "confirmed" ? "Confirmed" : "Not confirmed"}
        >
          {claimText(claim)} {claim.wrong} of {claim.automatic} {claim.wrong === 1 ? "is" : "are"} wrong.
          {doubts.map((doubt) => ` ${doubt}`)}
        </Alert>
      ))}
      <FactList facts={facts} />
      {claims.length > 0 ? (
        <Table
          caption={`Claims about ${name}`}
          columns={CLAIM_COLUMNS}
          rows={claims}
          rowKey={({ subject, option }) => `${subject} ${option ?? ""}`}
        />
      ) : null}
      <p className="max-w-text text-ink-muted text-sm">{ONE_TARGET}</p>
    </section>
  )
}
