"use client"
import { useState } from "react"
import { download, fileName } from "@/components/download"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { CodeBlock } from "@/components/ui/code-block"
import { TabPanel, Tabs } from "@/components/ui/tabs"
import { CSV_ESCAPES } from "@/lib/shared/csv"
import { doInWorker } from "../../files/do-in-worker"
import type { FileJobs } from "../../files/files-worker"
import { useAccount, useOpenSet, useOpenSetStore } from "../../model/open-set"
import { type CodeFor, ExportedCode, UseThresholds } from "./thresholds"

type MadeTest = NonNullable<FileJobs["test"][1]>
type Shown =
  | ({ kind: "test" } & MadeTest)
  | { kind: "code"; codeFor: CodeFor }
  | { kind: "no_labels" }
  | { kind: "failed" }

/** Holds a shown export. It is null again when what the export was made from changes. */
function useShown(): [Shown | null, (shown: Shown | null) => void] {
  const runId = useOpenSet(({ run }) => run?.id)
  // As text, because each progress of a run brings an equal list.
  const acceptances = useOpenSet(({ run }) => JSON.stringify(run?.acceptances))
  const corrections = useOpenSet(({ set }) => set.corrections)
  const results = useOpenSet((state) => state.results)
  const sources = [runId, acceptances, corrections, results]
  const [made, setMade] = useState<{ shown: Shown; sources: unknown[] } | null>(null)
  const isCurrent = made?.sources.every((source, at) => source === sources[at])
  return [made && isCurrent ? made.shown : null, (shown) => setMade(shown && { shown, sources })]
}

/** Offers the results as files: a table, a report, a test for the user's own pipeline, and code that acts on thresholds. */
export function ExportResults() {
  const { baseUrl } = useAccount()
  const { getState } = useOpenSetStore()
  const run = useOpenSet((state) => state.run)
  const [shown, setShown] = useShown()
  const fail = () => setShown({ kind: "failed" })
  const save = (kind: "results" | "report", ending: string) => {
    const { set, run: now } = getState()
    if (now) doInWorker(kind, { set, run: now }).then((file) => download(fileName(set.name, ending), file), fail)
  }
  const showTest = () => {
    const { set, run: now } = getState()
    if (!now) return
    doInWorker("test", { set, run: now, baseUrl }).then(
      (made) => setShown(made ? { kind: "test", ...made } : { kind: "no_labels" }),
      fail,
    )
  }
  const showCode = async () => {
    const { set, run: now, rows, results } = getState()
    const { codeOf } = await import("@/lib/shared/evaluate/export/accepted-thresholds")
    const codeFor = now && codeOf({ set, run: now, rows, results }, baseUrl)
    setShown(codeFor && { kind: "code", codeFor })
  }
  return (
    <section aria-label="Export" className="flex flex-col gap-4 border-line border-t pt-6 print:hidden">
      <h2 className="font-semibold text-lg">Export</h2>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" onClick={() => save("results", ".results.csv")}>
          Save results as CSV
        </Button>
        <Button variant="secondary" onClick={() => save("report", ".report.md")}>
          Save report as Markdown
        </Button>
        <Button variant="secondary" onClick={() => window.print()}>
          Print report
        </Button>
        <Button variant="secondary" onClick={showTest}>
          Export as a test
        </Button>
        <Button variant="secondary" onClick={() => void showCode()}>
          Export code
        </Button>
      </div>
      <p className="max-w-text text-ink-muted text-sm">In the CSV file, {CSV_ESCAPES}.</p>
      {run ? <UseThresholds key={run.id} run={run} /> : null}
      {shown?.kind === "test" ? <ExportedTestView {...shown} /> : null}
      {shown?.kind === "no_labels" ? (
        <Alert tone="warn" role="alert" title="No answered row has a label">
          A test compares answers with labels. Choose a column of labels for a question on the Rows tab, then run the
          set again.
        </Alert>
      ) : null}
      {shown?.kind === "failed" ? (
        <Alert tone="danger" role="alert">
          The file could not be made. Load the page again, and try once more.
        </Alert>
      ) : null}
      {shown?.kind === "code" && run ? <ExportedCode codeFor={shown.codeFor} run={run} /> : null}
    </section>
  )
}

function ExportedTestView({ test, checks }: MadeTest) {
  const [language, setLanguage] = useState("typescript")
  const save = () => {
    for (const { name, text } of [language === "python" ? test.python : test.typescript, test.data])
      download(name, new Blob([text], { type: "text/plain" }))
  }
  return (
    <div className="flex flex-col items-start gap-3">
      <p className="max-w-text text-ink-muted">
        The test asks about every answered row with a label again through the API, at the same price, and fails below
        these figures. It asks for the model that you chose, so it notices when an alias moves. The data file holds your
        rows.
      </p>
      <Checks checks={checks} />
      <Button onClick={save}>Save the test and its data</Button>
      <Tabs
        label="Language"
        tabs={[
          { value: "typescript", label: "TypeScript" },
          { value: "python", label: "Python" },
        ]}
        value={language}
        onValueChange={setLanguage}
        className="w-full min-w-0"
      >
        {(["typescript", "python"] as const).map((value) => (
          <TabPanel key={value} value={value} className="pt-3">
            <CodeBlock label={test[value].name} code={test[value].text} />
          </TabPanel>
        ))}
      </Tabs>
    </div>
  )
}

function Checks({ checks }: Pick<MadeTest, "checks">) {
  return (
    <ul className="flex flex-col gap-1 text-sm">
      {checks.map(({ question, figure, isAccepted }) => (
        <li key={`${question} ${figure}`}>
          <span className="font-mono">{question}</span>: {figure}
          {isAccepted ? "" : ". Suggested: the lower end of its 95% interval"}
        </li>
      ))}
    </ul>
  )
}
