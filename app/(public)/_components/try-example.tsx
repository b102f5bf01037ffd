"use client"
import { Play } from "lucide-react"
import { type ReactNode, useState } from "react"
import { afterPress } from "@/components/timing/after-paint"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { TextLink } from "@/components/ui/text-link"
import { Textarea } from "@/components/ui/textarea"
import type { TextOrJson } from "@/lib/shared/json-source/text-or-json"
import { RUNS_PER_DAY } from "@/lib/shared/visitors/runs-per-day"
import { ExampleAnswers, type ShownQuestion } from "./example-answers"
import type { Tried } from "./run-example"

// The checks of a request load with the first run.
const loadRun = () => import("./run-example")

interface TryExampleProps {
  id: string
  state: TextOrJson
  questions: ShownQuestion[]
  /** The recorded answers, shown until a run is answered. */
  children: ReactNode
}

/** Runs an example without an account, also with the visitor's own text. */
export function TryExample({ id, state, questions, children }: TryExampleProps) {
  const [text, setText] = useState(state.text)
  const [isRunning, setRunning] = useState(false)
  const [tried, setTried] = useState<Tried | null>(null)
  const run = async () => {
    setRunning(true)
    try {
      setTried(await (await loadRun()).runExample(id, text))
    } catch {
      setTried({ kind: "refused", message: "The example could not be run. Load this page again." })
    } finally {
      setRunning(false)
    }
  }
  return (
    <>
      <Field
        label="State"
        hint={`Change the text if you like. It is not stored. You have ${RUNS_PER_DAY} runs a day without an account.`}
      >
        <Textarea
          rows={6}
          mono={state.kind === "json"}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <Button
        className="self-start"
        pending={isRunning}
        pendingLabel="Running…"
        onClick={(event) => afterPress(event, run)}
      >
        <Play aria-hidden className="size-3.5" />
        Run it now
      </Button>
      {tried?.kind === "refused" ? (
        <Alert tone="danger" role="alert">
          {tried.message} <TextLink href="/sign-in?next=/playground">Sign in</TextLink>
        </Alert>
      ) : null}
      {tried?.kind === "answered" ? (
        <>
          <ExampleAnswers questions={questions} answers={tried.answers} />
          <p role="status" className="text-ink-muted text-sm">
            Answered just now by <code className="wrap-anywhere font-mono">{tried.model}</code>.
          </p>
        </>
      ) : (
        children
      )}
    </>
  )
}
