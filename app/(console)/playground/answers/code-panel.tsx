"use client"
import { useMemo, useState } from "react"
import { CodeBlock } from "@/components/ui/code-block"
import { Highlighted } from "@/components/ui/highlighted"
import { SelectField } from "@/components/ui/select"
import { TabPanel, Tabs } from "@/components/ui/tabs"
import { TextLink } from "@/components/ui/text-link"
import { EXPORT_APIS, type ExportApi } from "@/lib/shared/export-code/export-apis"
import { exportCode } from "@/lib/shared/export-code/export-code"
import { useAccount, usePlayground, usePlaygroundStore } from "../model/playground-store"
import { requestText } from "../model/request-state"

const SYNTAX = { curl: "bash", TypeScript: "typescript", Python: "python" } as const

export function CodePanel() {
  const { baseUrl } = useAccount()
  const { getState } = usePlaygroundStore()
  const revision = usePlayground(({ request }) => request.settledRevision)
  const thresholds = usePlayground((state) => state.thresholds)
  const [language, setLanguage] = useState("TypeScript")
  const [api, setApi] = useState<ExportApi>("decisions")
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the request again after every pause in typing
  const exports = useMemo(() => {
    return exportCode(requestText(getState().request), thresholds, baseUrl, api)
  }, [revision, thresholds, baseUrl, api])
  if (!exports) return <p className="py-8 text-center text-ink-muted">Complete the request to see its code.</p>
  const tabs = exports.map(({ language: label }) => ({ value: label, label }))
  return (
    <div className="flex flex-col gap-3">
      <p className="max-w-text text-ink-muted">
        Ready to run, with your thresholds. Set the environment variable{" "}
        <code className="font-mono text-sm">SVC_API_KEY</code> to one of your <TextLink href="/keys">API keys</TextLink>
        .
      </p>
      <SelectField
        label="API"
        isInline
        value={api}
        options={EXPORT_APIS}
        onChoose={(value) => setApi(value as ExportApi)}
      />
      <Tabs label="Language" tabs={tabs} value={language} onValueChange={setLanguage}>
        {exports.map(({ language: name, file, code }) => (
          <TabPanel key={name} value={name} className="pt-3">
            <CodeBlock label={file} code={code}>
              <Highlighted code={code} language={SYNTAX[name]} />
            </CodeBlock>
          </TabPanel>
        ))}
      </Tabs>
    </div>
  )
}
