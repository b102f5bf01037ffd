import { ClientText } from "@/components/ui/client-text"

export type Fact = [term: string, text: string]

/** Lists facts of a record, questions of any length among them. Long texts break anywhere, so that they fit on paper. */
export function FactList({ facts, isCode = false }: { facts: readonly Fact[]; isCode?: boolean }) {
  return (
    <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[8rem_1fr]">
      {facts.map(([term, text]) => (
        <div key={term} className="contents">
          <dt className="text-ink-muted">{term}</dt>
          <dd className={isCode ? "wrap-anywhere font-mono text-sm" : "wrap-anywhere"}>
            <ClientText text={text} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
