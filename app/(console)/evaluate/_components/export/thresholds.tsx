"use client"
import { useMemo, useState } from "react"
import { Button } from "@/components/ui/button"
import { CodeBlock } from "@/components/ui/code-block"
import { SelectField } from "@/components/ui/select"
import { TabPanel, Tabs } from "@/components/ui/tabs"
import { useHandover } from "@/components/use-handover"
import { acceptedThresholds, exampleRequest } from "@/lib/shared/evaluate/export/accepted-thresholds"
import type { EvaluationRun } from "@/lib/shared/evaluate/run/evaluation-run"
import { EXPORT_APIS, type ExportApi } from "@/lib/shared/export-code/export-apis"
import type { CodeExport } from "@/lib/shared/export-code/export-code"
import { storableThresholds } from "@/lib/shared/runs/thresholds"
import { storeHandover } from "@/lib/shared/share-link/store-handover"
import { useOpenSetStore } from "../../model/open-set"

/** Offers to open the playground with an example row and the accepted thresholds, which then act on its answers. */
export function UseThresholds({ run }: { run: EvaluationRun }) {
  const { getState } = useOpenSetStore()
  const { open, refusal } = useHandover("/playground", "the thresholds")
  const thresholds = acceptedThresholds(run)
  if (thresholds.size === 0)
    return (
      <p className="max-w-text text-ink-muted text-sm">
        Accept a threshold to use it in the playground and in the exported code.
      </p>
    )
  const store = () => {
    const { set, rows, results } = getState()
    const request = exampleRequest({ set, run, rows, results })
    return request !== null && storeHandover(request, storableThresholds(thresholds))
  }
  return (
    <div className="flex flex-col items-start gap-3">
      <Button variant="secondary" onClick={() => open(store)}>
        Use these thresholds in the playground
      </Button>
      {refusal}
    </div>
  )
}

/** Returns the programs for an API. */
export type CodeFor = (api: ExportApi) => CodeExport[]

/** Shows programs that act on the accepted thresholds. */
export function ExportedCode({ codeFor, run }: { codeFor: CodeFor; run: EvaluationRun }) {
  const [language, setLanguage] = useState("TypeScript")
  const [api, setApi] = useState<ExportApi>("decisions")
  const code = useMemo(() => codeFor(api), [codeFor, api])
  const { model } = run.form
  return (
    <div className="flex flex-col items-start gap-3">
      <p className="max-w-text text-ink-muted">
        The code asks your questions about one of your rows as an example. The accepted thresholds belong to{" "}
        <span className="wrap-anywhere font-mono">{run.pinnedId}</span>.{" "}
        {model === run.pinnedId
          ? "The code names this model, which never changes."
          : `The code names ${model}. When it moves to another model, the code returns “review” until you set the thresholds again.`}
      </p>
      <SelectField
        label="API"
        isInline
        value={api}
        options={EXPORT_APIS}
        onChoose={(value) => setApi(value as ExportApi)}
      />
      <Tabs
        label="Language of the code"
        tabs={code.map((each) => ({ value: each.language, label: each.language }))}
        value={language}
        onValueChange={setLanguage}
        className="w-full min-w-0"
      >
        {code.map((each) => (
          <TabPanel key={each.language} value={each.language} className="pt-3">
            <CodeBlock label={each.file} code={each.code} />
          </TabPanel>
        ))}
      </Tabs>
    </div>
  )
}
