"use client"
import { lazy, Suspense } from "react"
import { CodeBlock } from "@/components/ui/code-block"
import { LazyDetails } from "@/components/ui/lazy-details"
import type { Exchange } from "@/lib/shared/runs/read-outcome"

const Highlighted = lazy(() => import("@/components/ui/highlighted").then((file) => ({ default: file.Highlighted })))

export function RawExchange({ exchange }: { exchange: Exchange }) {
  const { requestText, responseText, status, headers } = exchange
  const head = headers.filter(([name]) => /^(x-r|retry-after|content-type)/.test(name))
  return (
    <LazyDetails
      className="border-line border-t pt-4"
      summary="Raw request and response"
      summaryClassName="rounded-sm font-medium pointer-coarse:py-3"
    >
      <div className="mt-3 flex flex-col gap-3">
        <CodeBlock label="POST /playground/decisions" code={requestText}>
          <Json code={requestText} />
        </CodeBlock>
        <CodeBlock label="Headers" code={head.map(([name, value]) => `${name}: ${value}`).join("\n")} />
        <CodeBlock label={`Response, status ${status}`} code={responseText || "(empty)"}>
          <Json code={responseText || "(empty)"} />
        </CodeBlock>
      </div>
    </LazyDetails>
  )
}

function Json({ code }: { code: string }) {
  return (
    <Suspense fallback={code}>
      <Highlighted code={code} language="json" />
    </Suspense>
  )
}
