import { Section } from "@/components/ui/section"
import { TextLink } from "@/components/ui/text-link"
import { countOf } from "@/lib/shared/format"
import type { ShadowSummary } from "@/lib/shared/shadows/shadow-report"
import { takenText } from "@/lib/shared/shadows/shadow-texts"
import { ShadowTable } from "../../_components/shadow-table"

interface OwnShadowProps {
  shadow: ShadowSummary
  /** Whether the account allows it. */
  takesPart: boolean
}

function Statement({ shadow: { alias, to, share, endedAt }, takesPart }: OwnShadowProps) {
  const candidate = <code className="wrap-anywhere font-mono text-sm">{to}</code>
  const settings = <TextLink href="/settings#new-models">Settings</TextLink>
  if (endedAt)
    return (
      <>
        The comparison with {candidate} has ended. An owner decides under {settings} whether the account takes part in
        others.
      </>
    )
  if (!takesPart)
    return (
      <>
        The operator compares {alias} with {candidate}. Your account takes no part in it. An owner can change that under{" "}
        {settings}.
      </>
    )
  return (
    <>
      {takenText(share)} of your answered requests to {alias} are also asked of {candidate}, after the answer. You pay
      nothing for it, and only numbers are kept. An owner can refuse under {settings}.
    </>
  )
}

/** Shows how a new model compares with the alias on the account's own requests. */
export function OwnShadow({ shadow, takesPart }: OwnShadowProps) {
  const { answered, failed, questions } = shadow
  return (
    <Section
      id="comparison"
      title="A new model on your requests"
      hint={<Statement shadow={shadow} takesPart={takesPart} />}
      className="mt-10 border-line border-t pt-8"
    >
      {answered + failed > 0 ? (
        <p>
          It answered {countOf(answered, "request")} of yours, and {failed === 0 ? "none" : failed} failed.
        </p>
      ) : null}
      {questions.length > 0 ? <ShadowTable questions={questions} /> : null}
    </Section>
  )
}
