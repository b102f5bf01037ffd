import { RunInPlayground } from "@/components/run-in-playground"
import { formatDate } from "@/lib/shared/format"
import type { TextOrJson } from "@/lib/shared/json-source/text-or-json"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { EXAMPLES, type Example } from "@/lib/shared/request-form/examples"
import { BUILT_IN_ANSWERS, type RecordedExample, recordedExample } from "@/lib/shared/request-form/recorded-answers"
import { writeShare } from "@/lib/shared/share-link/share-link"
import { QUESTION_TYPES } from "@/questions/question-types"
import { AnswerChart } from "@/questions/question-views"
import { ExampleTabs } from "./example-tabs"

/** Shows requests with the answers that a model gave when they were recorded. */
export function Examples() {
  const examples = EXAMPLES.flatMap((example) => {
    const recorded = recordedExample(ALIAS, example, BUILT_IN_ANSWERS)
    const { id, title } = example
    return recorded ? [{ id, title, view: <ExampleView example={example} recorded={recorded} /> }] : []
  })
  return (
    <section aria-label="Examples with their answers" className="min-w-0">
      <ExampleTabs examples={examples} />
    </section>
  )
}

async function ExampleView({ example, recorded }: { example: Example; recorded: RecordedExample }) {
  const { requestText, request, answers } = recorded
  const { model, day } = BUILT_IN_ANSWERS
  const fragment = await writeShare({ requestText, responseText: null, thresholds: new Map() })
  return (
    <div className="flex flex-col gap-6">
      <State state={example.state} />
      {request.questions.map(({ name, type, instructions }, at) => {
        const answer = answers[at]
        return answer ? (
          <div key={name} className="@container min-w-0">
            <h3 className="font-medium">{instructions?.text()}</h3>
            <p className="mb-3 text-ink-muted text-sm">
              <code className="font-mono">{type}</code>, {QUESTION_TYPES[type].label}
            </p>
            <AnswerChart answer={answer} />
          </div>
        ) : null
      })}
      <p className="max-w-text text-ink-muted text-sm">
        Recorded from <code className="font-mono">{model}</code> on {formatDate(new Date(day))}: built-in keyword rules
        for trying the API. A decision model gives better answers.
      </p>
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
