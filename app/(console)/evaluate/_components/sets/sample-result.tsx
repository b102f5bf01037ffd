import { afterPress } from "@/components/timing/after-paint"
import { Button } from "@/components/ui/button"
import { Fact, Facts } from "@/components/ui/fact"
import { SAMPLE_RESULT } from "@/lib/shared/evaluate/sample-result"
import { countOf, formatCount, formatDate } from "@/lib/shared/format"

/** Shows what the sample's rows led to when they were recorded, with a button that opens them to run them. */
export function SampleResult({ onSample, isReading }: { onSample: () => void; isReading: boolean }) {
  const { model, day, question, rows, right, rule, automatic, wrong, claims } = SAMPLE_RESULT
  return (
    <section aria-labelledby="sample-result" className="flex flex-col items-start gap-4">
      <div>
        <h2 id="sample-result" className="font-semibold text-lg">
          What the sample shows
        </h2>
        <p className="mt-1 max-w-text text-ink-muted">
          “{question}”, recorded from <code className="wrap-anywhere font-mono text-sm">{model}</code> on{" "}
          {formatDate(new Date(day))}. These are keyword rules. Run the rows to see what your model does.
        </p>
      </div>
      <div className="w-full">
        <Facts label="Recorded result">
          <Fact label="Rows">{formatCount(rows)}</Fact>
          <Fact label="On the right side of 0.5">{formatCount(right)}</Fact>
          <Fact label="Automatic by the rule" hint={countOf(wrong, "wrong answer")}>
            {formatCount(automatic)}
          </Fact>
          <Fact label="Rule">{rule}</Fact>
        </Facts>
      </div>
      <ul className="flex list-disc flex-col gap-1 pl-5">
        {claims.map((claim) => (
          <li key={claim}>{claim}</li>
        ))}
      </ul>
      <Button
        variant="secondary"
        onClick={(event) => afterPress(event, onSample)}
        pending={isReading}
        pendingLabel="Reading…"
      >
        Open these rows
      </Button>
    </section>
  )
}
