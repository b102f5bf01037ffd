import { Section } from "@/components/ui/section"
import { TextLink } from "@/components/ui/text-link"
import { Time } from "@/components/ui/time"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { factsOf } from "./model-facts"
import type { AliasChange } from "./read-models"

/** Returns what differs between the models: "Price per million tokens: $0.50 before, $0.731 now". */
function differences({ from, to }: AliasChange): string[] {
  const before = factsOf(from)
  return factsOf(to).flatMap(({ name, value }, place) => {
    const old = before[place]?.value
    return old === value ? [] : [`${name}: ${old} before, ${value} now`]
  })
}

/** Shows when the alias moved to another model, and which facts changed. Renders nothing before the first move. */
export function AliasChanges({ changes }: { changes: readonly AliasChange[] }) {
  if (changes.length === 0) return null
  return (
    <Section
      id="changes"
      title="What changed"
      hint={`When ${ALIAS} moves, requests that name it run on another model, with its probabilities, price and limits.`}
      className="mt-10 border-line border-t pt-8"
    >
      <ol className="flex flex-col">
        {changes.map((change) => (
          <li key={change.at} className="flex flex-col gap-1 border-line border-b py-3">
            <p>
              <Time at={change.at} as="minute" className="text-ink-muted" /> UTC: from{" "}
              <code className="wrap-anywhere font-mono text-sm">{change.from.id}</code> to{" "}
              <code className="wrap-anywhere font-mono text-sm">{change.to.id}</code>
            </p>
            <ul className="list-disc pl-5 text-ink-muted">
              {differences(change).map((line) => (
                <li key={line}>{line}</li>
              ))}
              <li>
                Probabilities: measure your thresholds again.{" "}
                <TextLink href={`/models?compare=${change.from.id}&with=${change.to.id}#compare`}>
                  Compare both models
                </TextLink>
              </li>
            </ul>
          </li>
        ))}
      </ol>
    </Section>
  )
}
