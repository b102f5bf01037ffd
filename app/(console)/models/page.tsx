import type { Metadata } from "next"
import { Alert } from "@/components/ui/alert"
import { Later } from "@/components/ui/later"
import { PageHeader } from "@/components/ui/page-header"
import { Section } from "@/components/ui/section"
import { TextLink } from "@/components/ui/text-link"
import { findSession } from "@/lib/server/auth/session"
import { formatDate } from "@/lib/shared/format"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { STAY_DAYS } from "@/lib/shared/models/stay"
import { AliasChanges } from "./_components/alias-changes"
import { Calculator } from "./_components/calculator"
import { EarlierModel } from "./_components/earlier-model"
import { ModelCompare } from "./_components/model-compare"
import { ModelTable } from "./_components/model-table"
import { OwnShadow } from "./_components/own-shadow"
import { exampleTexts, readModels, readOwnShadow, readStay } from "./_components/read-models"

export const metadata: Metadata = { title: "Models and prices" }

export default async function ModelsPage({ searchParams }: PageProps<"/models">) {
  const { listed, priced, cautions, changes, announced } = await readModels()
  const query = await searchParams
  const session = findSession()
  const [own, stay] = await Promise.all([
    session.then(readOwnShadow).catch(() => null),
    session.then(readStay).catch(() => null),
  ])
  const asked = [query.compare, query.with].map((id) => (typeof id === "string" ? id : undefined))
  return (
    <>
      <PageHeader title="Models and prices">
        The models that can answer your requests, with their prices and limits. The API returns the same list at{" "}
        <TextLink href="/docs/models">GET /v1/models</TextLink>.
      </PageHeader>
      {listed.length > 0 ? (
        <ModelTable models={listed} />
      ) : (
        <Alert tone="danger" title="The models could not be loaded">
          The service is starting, or its database is unavailable. Reload the page in a moment.
        </Alert>
      )}
      {cautions.map(({ id, caution }) => (
        <Alert
          key={id}
          tone="warn"
          title={<code className="break-all font-mono">{id}</code>}
          className="mt-6 max-w-text"
        >
          {caution}
        </Alert>
      ))}
      <div className="flex max-w-text flex-col gap-2 pt-6 text-ink-muted">
        <p>
          An arrow points from an alias to its pinned id. A pinned id always runs the same model. An alias moves to
          newer models, and each answer names the pinned id that produced it.{" "}
          <TextLink href="/docs/models">Read more about model ids</TextLink>
        </p>
        <p>
          You pay only for answered requests: input tokens times the price. Do not compare probabilities between models.{" "}
          <TextLink href="/docs/billing">Read more about billing</TextLink>
        </p>
      </div>
      {announced ? (
        <Alert
          className="mt-6 max-w-text"
          title={`${ALIAS} moves to another model on ${formatDate(new Date(announced.on))} (UTC)`}
          action={
            <TextLink href={`/models?compare=${announced.from}&with=${announced.to}#compare`}>
              Compare both models
            </TextLink>
          }
        >
          From <code className="break-all font-mono text-sm">{announced.from}</code> to{" "}
          <code className="break-all font-mono text-sm">{announced.to}</code>. Measure your thresholds again before that
          day. An owner can keep the earlier model on this page, until {STAY_DAYS} days after the move.
        </Alert>
      ) : null}
      {stay ? <EarlierModel {...stay} /> : null}
      {own ? <OwnShadow {...own} /> : null}
      <Later>
        <AliasChanges changes={changes} />
        <ModelCompare models={listed} asked={asked} />
        {priced.length > 0 ? (
          <Section
            id="calculator"
            title="Estimate your cost"
            hint="Enter your own text and questions. Nothing is sent to a model, and nothing is stored."
            className="mt-10 border-line border-t pt-8"
          >
            <Calculator models={priced} example={exampleTexts()} />
          </Section>
        ) : null}
      </Later>
    </>
  )
}
