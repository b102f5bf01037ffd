"use client"
import { Button } from "@/components/ui/button"
import { formatDate } from "@/lib/shared/format"
import { EXAMPLES } from "@/lib/shared/request-form/examples"
import { BUILT_IN_ANSWERS, recordedExample } from "@/lib/shared/request-form/recorded-answers"
import { AnswerList } from "@/questions/answer-list"
import { useAccount, usePlayground } from "../model/playground-store"
import { ChangedNote } from "./changed-note"

interface RecordedViewProps {
  exampleId: string
  onRun: () => void
}

/** Shows the recorded answers of an example, before the user has run it. */
export function RecordedView({ exampleId, onRun }: RecordedViewProps) {
  const { recorded: recording = BUILT_IN_ANSWERS } = useAccount()
  const model = usePlayground(({ request }) => request.form.model)
  const example = EXAMPLES.find(({ id }) => id === exampleId)
  const recorded = example ? recordedExample(model, example, recording) : null
  if (!recorded) return null
  const { requestText, request, answers } = recorded
  return (
    <div className="flex flex-col gap-1">
      <p className="text-ink-muted text-sm">
        Recorded from <code className="wrap-anywhere font-mono">{recording.model}</code> on{" "}
        {formatDate(new Date(recording.day))} · <ChangedNote sentText={requestText} />
        <Button variant="quiet" size="sm" onClick={onRun}>
          Run it now
        </Button>
      </p>
      <AnswerList questions={request.questions} answers={answers} drawChart={() => null} />
    </div>
  )
}
