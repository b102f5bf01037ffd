"use client"
import { useState } from "react"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { EmptyState } from "@/components/ui/empty-state"
import type { SignOffRecord } from "@/lib/shared/evaluate/export/sign-off-record"
import { useAccount, useOpenSet, useOpenSetStore } from "../../model/open-set"
import { makeRecord } from "../../sign-off/make-record"
import { showTab } from "../address"
import { download, fileName } from "../download"
import { RunChoice } from "../run/run-choice"
import { RecordView } from "./record-view"

type Made = { kind: "record"; record: SignOffRecord } | { kind: "making" | "no_labels" | "failed" }

/** Makes the record of what was accepted, and shows it as a page that prints. */
export function SignOffTab() {
  const run = useOpenSet((state) => state.run)
  const hasAccepted = (run?.acceptances.length ?? 0) > 0
  return (
    <div className="flex flex-col gap-8">
      <RunChoice label="Record of" />
      {run && hasAccepted ? (
        <RunRecord key={run.id} />
      ) : (
        <EmptyState
          title="Nothing is accepted yet"
          action={<Button onClick={() => showTab("results")}>Go to the results</Button>}
        >
          Accept a threshold under Results. Its record then says what was claimed, of which model and from which rows.
        </EmptyState>
      )}
    </div>
  )
}

function RunRecord() {
  const { email } = useAccount()
  const { getState } = useOpenSetStore()
  const [made, setMade] = useState<Made | null>(null)
  const make = () => {
    const { set, run } = getState()
    if (!run) return
    setMade({ kind: "making" })
    makeRecord({ set, run, madeAt: new Date().toISOString(), person: email }).then(
      (record) => setMade(record ? { kind: "record", record } : { kind: "no_labels" }),
      () => setMade({ kind: "failed" }),
    )
  }
  const save = (record: SignOffRecord) => {
    const text = `${JSON.stringify({ record, signature: null }, null, 1)}\n`
    download(fileName(record.set.name, ".signoff.json"), new Blob([text], { type: "application/json" }))
  }
  return (
    <>
      <div className="flex flex-col items-start gap-4 print:hidden">
        <p className="max-w-text text-ink-muted">
          The record states each accepted claim with its evidence, what was left out, and a SHA-256 of the rows, of the
          answers and of the questions. It is made in this browser, and nothing of it is sent.
        </p>
        <div className="flex flex-wrap gap-2">
          <Button onClick={make} disabled={made?.kind === "making"}>
            {made?.kind === "record" ? "Make the record again" : "Make the record"}
          </Button>
          {made?.kind === "record" ? (
            <>
              <Button variant="secondary" onClick={() => save(made.record)}>
                Save record as JSON
              </Button>
              <Button variant="secondary" onClick={() => window.print()}>
                Print or save as PDF
              </Button>
            </>
          ) : null}
        </div>
      </div>
      {made?.kind === "record" ? <RecordView record={made.record} /> : null}
      {made?.kind === "no_labels" ? (
        <Alert tone="warn" role="alert" title="No answered row has a label">
          A record compares answers with labels. Choose a column of right answers on the Rows tab.
        </Alert>
      ) : null}
      {made?.kind === "failed" ? (
        <Alert tone="danger" role="alert" title="The record could not be made">
          A text of the set may hold half of a character, which has no canonical form. Reload the page and try again.
        </Alert>
      ) : null}
    </>
  )
}
