"use client"
import { useState } from "react"
import { download, fileName } from "@/components/download"
import { useAction } from "@/components/form/call-action"
import { FormError } from "@/components/form/form-error"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { EmptyState } from "@/components/ui/empty-state"
import type { RecordSignature } from "@/lib/shared/evaluate/export/record-signature"
import { signRecordAction } from "../../actions"
import { doInWorker } from "../../files/do-in-worker"
import type { HashedRecord } from "../../files/files-worker"
import { useAccount, useOpenSet, useOpenSetStore } from "../../model/open-set"
import { showTab } from "../address"
import { RunChoice } from "../run/run-choice"
import { RecordView } from "./record-view"

type MadeRecord = HashedRecord & { signature: RecordSignature | null }
type State = { kind: "record"; made: MadeRecord } | { kind: "making" | "no_labels" | "failed" }

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
  const [state, setState] = useState<State | null>(null)
  const made = state?.kind === "record" ? state.made : null
  const make = () => {
    const { set, run } = getState()
    if (!run) return
    setState({ kind: "making" })
    doInWorker("record", { set, run, madeAt: new Date().toISOString(), person: email }).then(
      (record) => setState(record ? { kind: "record", made: { ...record, signature: null } } : { kind: "no_labels" }),
      () => setState({ kind: "failed" }),
    )
  }
  // Another record may have been made while this one was signed.
  const sign = (sha256: string, signature: RecordSignature) =>
    setState((now) =>
      now?.kind === "record" && now.made.sha256 === sha256 ? { ...now, made: { ...now.made, signature } } : now,
    )
  return (
    <>
      <div className="flex flex-col items-start gap-4 print:hidden">
        <p className="max-w-text text-ink-muted">
          The record states each accepted claim with its evidence, what was left out, and a SHA-256 of the rows, of the
          answers and of the questions. It is made in this browser. When you sign it, only its own SHA-256 is sent.
        </p>
        <div className="flex flex-wrap gap-2">
          <Button onClick={make} disabled={state?.kind === "making"}>
            {made ? "Make the record again" : "Make the record"}
          </Button>
          {made ? (
            <RecordButtons key={made.sha256} made={made} onSigned={(signature) => sign(made.sha256, signature)} />
          ) : null}
        </div>
      </div>
      {made ? <RecordView {...made} /> : null}
      {state?.kind === "no_labels" ? (
        <Alert tone="warn" role="alert" title="No answered row has a label">
          A record compares answers with labels. Choose a column of right answers on the Rows tab.
        </Alert>
      ) : null}
      {state?.kind === "failed" ? (
        <Alert tone="danger" role="alert" title="The record could not be made">
          A text of the set may hold half of a character, which has no canonical form. Reload the page and try again.
        </Alert>
      ) : null}
    </>
  )
}

interface RecordButtonsProps {
  made: MadeRecord
  onSigned: (signature: RecordSignature) => void
}

function RecordButtons({ made: { record, sha256, signature }, onSigned }: RecordButtonsProps) {
  const { run: sign, error, pending } = useAction(signRecordAction, onSigned)
  const save = () => {
    const text = `${JSON.stringify({ record, signature }, null, 1)}\n`
    download(fileName(record.set.name, ".signoff.json"), new Blob([text], { type: "application/json" }))
  }
  return (
    <>
      <Button variant="secondary" pending={pending} pendingLabel="Signing…" onClick={() => sign({ sha256 })}>
        Sign with this installation’s key
      </Button>
      <Button variant="secondary" onClick={save}>
        Save record as JSON
      </Button>
      <Button variant="secondary" onClick={() => window.print()}>
        Print or save as PDF
      </Button>
      <div className="w-full">
        <FormError error={error} />
        <p role="status" className="text-ink-muted">
          {signature ? "The record is signed. Save or print it to keep the signature." : null}
        </p>
      </div>
    </>
  )
}
