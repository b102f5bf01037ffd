"use client"
import clsx from "clsx"
import { useRouter } from "next/navigation"
import { useState } from "react"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { ClientText } from "@/components/ui/client-text"
import { CodeBlock } from "@/components/ui/code-block"
import { LazyDetails } from "@/components/ui/lazy-details"
import { Section } from "@/components/ui/section"
import { checkRequest } from "@/lib/shared/decisions/check-request"
import type { JsonText } from "@/lib/shared/json/text"
import { shortText } from "@/lib/shared/long-runs"
import { storableThresholds } from "@/lib/shared/runs/thresholds"
import { readSharedAnswers } from "@/lib/shared/share-link/read-shared-answers"
import type { Shared } from "@/lib/shared/share-link/share-link"
import { storeHandover } from "@/lib/shared/share-link/store-handover"
import { SharedAnswers } from "./shared-answers"
import { SharedQuestions } from "./shared-questions"

export function SharedRequest({ shared }: { shared: Shared }) {
  const checked = checkRequest(new TextEncoder().encode(shared.requestText))
  if (!checked.ok) return null
  const { request } = checked
  const answers = shared.responseText === null ? null : readSharedAnswers(request, shared.responseText)
  return (
    <div className="flex flex-col gap-6">
      <Opener shared={shared} />
      <div className="grid gap-x-10 gap-y-8 lg:grid-cols-2">
        <Section id="shared-request" title="Request">
          <p className="text-ink-muted">
            Model <span className="wrap-anywhere font-mono text-ink text-sm">{shortText(request.model)}</span>
          </p>
          <div className="flex flex-col gap-1.5">
            <h3 className="font-medium">State</h3>
            <StateBlock state={request.state} />
          </div>
          <SharedQuestions questions={request.questions} />
          <LazyDetails
            className="border-line border-t pt-4"
            summary="The request as JSON"
            summaryClassName="rounded-sm font-medium pointer-coarse:py-3"
          >
            <CodeBlock className="mt-3" label="Body of POST /v1/decisions" code={shared.requestText} />
          </LazyDetails>
        </Section>
        <SharedAnswers
          questions={request.questions}
          answers={answers}
          thresholds={shared.thresholds}
          hasResponse={shared.responseText !== null}
        />
      </div>
    </div>
  )
}

function StateBlock({ state }: { state: JsonText }) {
  const isText = state.kind === "string"
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards must be able to scroll it
      tabIndex={0}
      dir={isText ? "auto" : "ltr"}
      className={clsx(
        "max-h-96 overflow-auto whitespace-pre-wrap break-words rounded-md border border-line bg-sunken px-3 py-2",
        isText ? "font-sans" : "font-mono text-sm",
      )}
    >
      <ClientText text={isText ? state.text() : state.json()} />
    </pre>
  )
}

/** Opens the request in the playground. Stores it in this browser, because the playground may ask the user to sign in first. */
function Opener({ shared: { requestText, thresholds } }: { shared: Shared }) {
  const router = useRouter()
  const [failed, setFailed] = useState(false)
  const open = () =>
    storeHandover(requestText, storableThresholds(thresholds)) ? router.push("/playground") : setFailed(true)
  return (
    <Alert
      tone={failed ? "danger" : "info"}
      title={failed ? "This browser blocks storage for this page" : "The state is included"}
      action={
        <Button onClick={open} className="max-sm:w-full">
          Open in playground
        </Button>
      }
    >
      {failed
        ? "The request cannot be passed to the playground. Copy it as JSON below."
        : "The link contains the state and the questions. Share it only with people who may read them. Opening it in the playground does not run it."}
    </Alert>
  )
}
