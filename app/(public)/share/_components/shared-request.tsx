"use client"
import { useRouter } from "next/navigation"
import { useState } from "react"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { CodeBlock } from "@/components/ui/code-block"
import { checkRequest } from "@/lib/shared/decisions/check-request"
import { leaveHandover } from "@/lib/shared/playground/share/handover"
import { readSharedAnswers } from "@/lib/shared/playground/share/read-shared-answers"
import type { Shared } from "@/lib/shared/playground/share/share-link"
import { SharedAnswers } from "./shared-answers"
import { SharedQuestions } from "./shared-questions"
import { WordsBlock } from "./words-block"

/** What was asked, and what the link says was answered. Nothing here can be changed or run. */
export function SharedRequest({ shared }: { shared: Shared }) {
  const checked = checkRequest(new TextEncoder().encode(shared.requestText))
  if (!checked.ok) return null
  const { request } = checked
  const answers = shared.responseText === null ? null : readSharedAnswers(request, shared.responseText)
  return (
    <div className="flex flex-col gap-6">
      <Opener requestText={shared.requestText} />
      <div className="grid gap-x-10 gap-y-8 lg:grid-cols-2">
        <section aria-labelledby="shared-request" className="flex min-w-0 flex-col gap-4">
          <h2 id="shared-request" className="font-semibold text-md">
            Request
          </h2>
          <p className="text-ink-muted">
            Asks <span className="wrap-anywhere font-mono text-ink text-sm">{request.model}</span>
          </p>
          <div className="flex flex-col gap-1.5">
            <h3 className="font-medium">State</h3>
            <WordsBlock words={request.state} className="max-h-96" />
          </div>
          <SharedQuestions questions={request.questions} />
          <details className="border-line border-t pt-4">
            <summary className="rounded-sm font-medium pointer-coarse:py-2">The request as JSON</summary>
            <CodeBlock className="mt-3" label="Body of POST /v1/decisions" code={shared.requestText} />
          </details>
        </section>
        <SharedAnswers answers={answers} isIncluded={shared.responseText !== null} />
      </div>
    </div>
  )
}

/** The playground needs an account; the request waits in this browser until its owner is signed in. */
function Opener({ requestText }: { requestText: string }) {
  const router = useRouter()
  const [failed, setFailed] = useState(false)
  const open = () => (leaveHandover(requestText) ? router.push("/playground") : setFailed(true))
  return (
    <Alert
      tone={failed ? "danger" : "info"}
      title={failed ? "This browser keeps nothing for this page" : "The state is included"}
      action={
        <Button onClick={open} className="max-sm:w-full">
          Open in playground
        </Button>
      }
    >
      {failed
        ? "So the request cannot be handed to the playground. Copy it as JSON below."
        : "The link holds the state and the questions. Pass it on only to people who may read them. Opening it in the playground runs nothing."}
    </Alert>
  )
}
