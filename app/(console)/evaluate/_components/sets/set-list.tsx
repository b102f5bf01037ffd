"use client"
import { useCallback, useEffect, useEffectEvent, useState } from "react"
import { Alert } from "@/components/ui/alert"
import { PageHeader } from "@/components/ui/page-header"
import { Section } from "@/components/ui/section"
import { type Column, Table } from "@/components/ui/table"
import { TextLink } from "@/components/ui/text-link"
import { Time } from "@/components/ui/time"
import { takeForEvaluate } from "@/lib/shared/evaluate/handover"
import type { EvaluationSet } from "@/lib/shared/evaluate/rows/evaluation-set"
import type { EvaluationRun } from "@/lib/shared/evaluate/run/evaluation-run"
import { formatCount } from "@/lib/shared/format"
import type { RequestForm } from "@/lib/shared/request-form/request-form"
import { listSets, runsOf, saveSet } from "../../model/evaluation-store"
import { useAccount } from "../../model/open-set"
import { addressOf } from "../address"
import { runStatusText } from "../run/run-text"
import { AddRows } from "./add-rows"
import { FirstSet } from "./first-set"
import { removeChecks } from "./remove-checks"
import { SetMenu } from "./set-menu"
import { useAddSet } from "./use-add-set"
import { useExportSet } from "./use-export-set"

interface Listed {
  set: EvaluationSet
  last: EvaluationRun | undefined
}

async function loadSets(accountId: string): Promise<Listed[]> {
  const sets = await listSets(accountId)
  return Promise.all(
    sets.map(async (set) => ({ set, last: (await runsOf(set.id)).find(({ robustness }) => !robustness) })),
  )
}

/** Lists the account's sets in this browser, with the ways to add one. */
export function SetList() {
  const { accountId } = useAccount()
  const [listed, setListed] = useState<Listed[] | "blocked" | null>(null)
  const [form, setForm] = useState<RequestForm | null>(null)
  const { adding, isAddingSample, add, addRow, addSample } = useAddSet(form)
  const load = useCallback(() => {
    loadSets(accountId).then(setListed, () => setListed("blocked"))
  }, [accountId])
  const start = useEffectEvent(async () => {
    const left = takeForEvaluate(accountId)
    if (left?.robustness && (await addRow(left.form, left.robustness))) return
    // Not before a check is added: it would be removed with the earlier ones.
    void removeChecks(accountId).catch(() => undefined)
    load()
    if (!left || left.robustness) return
    setForm(left.form)
    if (left.file) void add(left.file, left.file.name, left.form)
  })
  useEffect(() => void start(), [])
  const names = form?.questions.map(({ name }) => name).join(", ")
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="Evaluate">
        Ask your questions about rows whose answers you know. See how often the model is right, and choose a threshold
        that you can defend.
      </PageHeader>
      {form ? (
        <Alert>
          The questions of the playground are used for the rows that you open next:{" "}
          <b className="font-medium">{names}</b>.
        </Alert>
      ) : null}
      {listed === "blocked" ? (
        <Alert tone="danger" role="alert" title="This browser stores nothing for this site">
          Sets are stored in the browser. Allow storage for this site, or leave private browsing.
        </Alert>
      ) : null}
      <AddRows
        adding={adding}
        isSample={isAddingSample}
        onFile={(file) => add(file, file.name)}
        onText={(text) => add(new Blob([text]), "Pasted rows")}
        onSample={addSample}
      />
      {Array.isArray(listed) && listed.length > 0 ? <Sets listed={listed} onChange={load} /> : null}
      {Array.isArray(listed) && listed.length === 0 ? (
        <FirstSet onSample={addSample} isReading={isAddingSample} />
      ) : null}
    </div>
  )
}

function Sets({ listed, onChange }: { listed: Listed[]; onChange: () => void }) {
  const { exportSet, failure } = useExportSet()
  const columns: Column<Listed>[] = [
    {
      head: "Set",
      phone: "title",
      cell: ({ set, last }) => (
        <TextLink alone href={addressOf(set.id, last ? "results" : "rows")} className="wrap-anywhere font-medium">
          {set.name}
        </TextLink>
      ),
    },
    { head: "Rows", phone: "value", phoneLabel: true, align: "right", cell: ({ set }) => formatCount(set.rowCount) },
    { head: "Questions", cell: ({ set }) => set.form.questions.map(({ name }) => name).join(", ") || "None yet" },
    { head: "Last run", phone: "line", cell: ({ last }) => (last ? runStatusText(last) : "Not run yet") },
    { head: "Added", phone: "end", cell: ({ set }) => <Time at={set.createdAt} /> },
  ]
  const rename = (set: EvaluationSet) => (name: string) => saveSet({ ...set, name }).then(onChange)
  return (
    <Section id="saved-sets" title="Saved sets">
      {failure}
      <Table
        caption="Saved sets"
        columns={columns}
        rows={listed}
        rowKey={({ set }) => set.id}
        actions={({ set }) => <SetMenu set={set} onExport={exportSet} onRename={rename(set)} onRemoved={onChange} />}
      />
    </Section>
  )
}
