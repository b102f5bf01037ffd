"use client"
import { CodeBlock } from "@/components/ui/code-block"
import type { Exchange } from "@/lib/shared/runs/read-outcome"

export function RawExchange({ exchange }: { exchange: Exchange }) {
  const { requestText, responseText, status, headers } = exchange
  const head = headers.filter(([name]) => /^(x-r|retry-after|content-type)/.test(name))
  return (
    <details className="border-line border-t pt-4">
      <summary className="rounded-sm font-medium pointer-coarse:py-3">Raw request and response</summary>
      <div className="mt-3 flex flex-col gap-3">
        <CodeBlock label="POST /playground/decisions" code={requestText} />
        <CodeBlock label="Headers" code={head.map(([name, value]) => `${name}: ${value}`).join("\n")} />
        <CodeBlock label={`Response, status ${status}`} code={responseText || "(empty)"} />
      </div>
    </details>
  )
}
