import { RunInPlayground } from "@/components/run-in-playground"
import { readRecordedAnswers } from "@/lib/server/decisions/read-recorded"
import { cautionOf } from "@/lib/server/models/caution"
import { runtime } from "@/lib/server/platform/runtime"
import { formatDate } from "@/lib/shared/format"
import type { TextOrJson } from "@/lib/shared/json-source/text-or-json"
import { ALIAS, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { EXAMPLES, type Example } from "@/lib/shared/request-form/examples"
import { type RecordedAnswers, type RecordedExample, recordedExample } from "@/lib/shared/request-form/recorded-answers"
import { writeShare } from "@/lib/shared/share-link/share-link"
import { QUESTION_TYPES } from "@/questions/question-types"
import { ExampleAnswers, type ShownQuestion } from "./example-answers"
import { ExampleTabs } from "./example-tabs"
import { TryExample } from "./try-example"

/** Shows requests with the answers that a model gave when they were recorded. With `mayTry`, they run without an account. */
export async function Examples({ mayTry }: { mayTry: boolean }) {
  const recording = await readRecordedAnswers(runtime())
  const examples = EXAMPLES.flatMap((example) => {
    const recorded = recordedExample(ALIAS, example, recording)
    const { id, title } = example
    if (!recorded) return []
    return [{ id, title, view: <ExampleView key={id} {...{ example, recorded, recording, mayTry }} /> }]
  })
  return (
    <section aria-label="Examples with their answers" className="min-w-0">
      <ExampleTabs examples={examples} />
    </section>
  )
}

interface ExampleViewProps {
  example: Example
  recorded: RecordedExample
  recording: RecordedAnswers
  mayTry: boolean
}

const shownQuestions = ({ request }: RecordedExample): ShownQuestion[] =>
  request.questions.map(({ name, type, instructions }) => ({
    name,
    type,
    label: QUESTION_TYPES[type].label,
    instructions: instructions?.text() ?? name,
  }))

async function ExampleView({ example, recorded, recording, mayTry }: ExampleViewProps) {
  const { requestText, answers } = recorded
  const { model, day } = recording
  const fragment = await writeShare({ requestText, responseText: null, thresholds: new Map() })
  const questions = shownQuestions(recorded)
  const recordedAnswers = (
    <>
      <ExampleAnswers questions={questions} answers={answers} />
      <p className="max-w-text text-ink-muted text-sm">
        Recorded from <code className="wrap-anywhere font-mono">{model}</code> on {formatDate(new Date(day))}.{" "}
        {model === LEXICAL_BASELINE
          ? "These are keyword rules for trying the API. A decision model gives better answers."
          : cautionOf(runtime().catalogue.find(model))}
      </p>
    </>
  )
  return (
    <div className="flex flex-col gap-6">
      {mayTry ? (
        <TryExample id={example.id} state={example.state} questions={questions}>
          {recordedAnswers}
        </TryExample>
      ) : (
        <>
          <State state={example.state} />
          {recordedAnswers}
        </>
      )}
      <RunInPlayground requestText={requestText} shareHref={`/share#${fragment}`} />
    </div>
  )
}

function State({ state: { kind, text } }: { state: TextOrJson }) {
  return (
    <div>
      <h2 className="font-medium text-ink-muted text-sm">State</h2>
      {kind === "text" ? (
        <p className="mt-1 max-w-text whitespace-pre-line">{text}</p>
      ) : (
        <pre className="wrap-anywhere mt-1 whitespace-pre-wrap font-mono text-sm leading-5">{text}</pre>
      )}
    </div>
  )
}
