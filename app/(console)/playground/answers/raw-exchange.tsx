"use client"
import { lazy, Suspense, useState } from "react"
import { CodeBlock } from "@/components/ui/code-block"
import type { Exchange } from "@/lib/shared/runs/read-outcome"

const Highlighted = lazy(() => import("@/components/ui/highlighted").then((file) => ({ default: file.Highlighted })))

export function RawExchange({ exchange }: { exchange: Exchange }) {
  const { requestText, responseText, status, headers } = exchange
  const [isOpen, setOpen] = useState(false)
  const head = headers.filter(([name]) => /^(x-r|retry-after|content-type)/.test(name))
  return (
    <details className="border-line border-t pt-4" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="rounded-sm font-medium pointer-coarse:py-3">Raw request and response</summary>
      <div className="mt-3 flex flex-col gap-3">
        <CodeBlock label="POST /playground/decisions" code={requestText}>
          {isOpen ? <Json code={requestText} /> : null}
        </CodeBlock>
        <CodeBlock label="Headers" code={head.map(([name, value]) => `${name}: ${value}`).join("\n")} />
        <CodeBlock label={`Response, status ${status}`} code={responseText || "(empty)"}>
          {isOpen ? <Json code={responseText || "(empty)"} /> : null}
        </CodeBlock>
      </div>
    </details>
  )
}

function Json({ code }: { code: string }) {
  return (
    <Suspense fallback={code}>
      <Highlighted code={code} language="json" />
    </Suspense>
  )
}
