"use client"
import { useEffect, useMemo, useState } from "react"
import { CodeBlock } from "@/components/ui/code-block"
import { TabPanel, Tabs } from "@/components/ui/tabs"
import { TextLink } from "@/components/ui/text-link"
import { exportCode } from "@/lib/shared/playground/exports/export-code"
import { useRequestSide } from "../request/request-context"
import { useLatest } from "../request/use-latest"
import type { Thresholds } from "./use-thresholds"

interface CodePanelProps {
  baseUrl: string
  thresholds: Thresholds
}

/** The text of the request as it stands, in whichever view, once typing pauses. */
function useRequestText(): string {
  const { views, settled } = useRequestSide()
  const [text, setText] = useState(() => views.requestText())
  const follow = useLatest(() => setText(views.requestText()))
  useEffect(() => settled.subscribe(follow), [settled, follow])
  return text
}

/** The request as it now stands, as programs. */
export function CodePanel({ baseUrl, thresholds }: CodePanelProps) {
  const requestText = useRequestText()
  const [language, setLanguage] = useState("TypeScript")
  const { bands } = thresholds
  const exports = useMemo(() => {
    const named = [...bands].map(([name, band]) => ({ name, ...band }))
    return exportCode(requestText, named, baseUrl)
  }, [requestText, bands, baseUrl])
  if (!exports)
    return <p className="py-8 text-center text-ink-muted">The code appears here once the request is complete.</p>
  const tabs = exports.map(({ language: label }) => ({ value: label, label }))
  return (
    <div className="flex flex-col gap-3">
      <p className="max-w-text text-ink-muted">
        Runs as it is printed. The key stays out of it: put one of your <TextLink href="/keys">API keys</TextLink> into
        the variable <code className="font-mono text-sm">SVC_API_KEY</code>. Thresholds that you have set go along.
      </p>
      <Tabs label="Language" tabs={tabs} value={language} onValueChange={setLanguage}>
        {exports.map(({ language: name, file, code }) => (
          <TabPanel key={name} value={name} className="pt-3">
            <CodeBlock label={file} code={code} />
          </TabPanel>
        ))}
      </Tabs>
    </div>
  )
}
