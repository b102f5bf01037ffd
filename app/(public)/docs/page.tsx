import type { Metadata } from "next"
import type { ReactNode } from "react"
import { CodeBlock } from "@/components/ui/code-block"
import { PageHeader } from "@/components/ui/page-header"
import { TextLink } from "@/components/ui/text-link"
import { EXAMPLE_ANSWER } from "@/lib/decisions/example-answer"
import { exampleCurl } from "@/lib/decisions/example-request"
import { runtime } from "@/lib/runtime"
import { ErrorTable } from "./_components/error-table"
import { QuestionTypes } from "./_components/question-types"

export const metadata: Metadata = { title: "Docs" }

function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3 pt-10">
      <h2 id={id} className="font-semibold text-lg">
        {title}
      </h2>
      {children}
    </section>
  )
}

export default function DocsPage() {
  return (
    <>
      <PageHeader title="Docs">
        One endpoint answers questions, another lists the models. This page has what a first program needs; all of it is
        in the{" "}
        <TextLink href="/openapi.json" target="_blank" prefetch={false}>
          OpenAPI description
        </TextLink>
        .
      </PageHeader>
      <div className="[&_p]:max-w-text">
        <Section id="first-request" title="First request">
          <p>
            Create a key under <TextLink href="/keys">API keys</TextLink>, put it into{" "}
            <code className="font-mono">SVC_API_KEY</code> and send one state with named questions.
          </p>
          <div className="grid items-start gap-4 lg:grid-cols-2 *:min-w-0">
            <CodeBlock label="Request" code={exampleCurl(runtime().env.BASE_URL, "$SVC_API_KEY")} />
            <CodeBlock label={`Answer of ${EXAMPLE_ANSWER.model}`} code={JSON.stringify(EXAMPLE_ANSWER, null, 2)} />
          </div>
          <p className="text-ink-muted">
            The answer names the pinned model that gave it. You pay{" "}
            <code className="font-mono">usage.input_tokens</code>: the state once, and all instructions and criteria.
            Give your client 130 seconds.
          </p>
        </Section>
        <Section id="question-types" title="Question types">
          <QuestionTypes />
          <p className="text-ink-muted">
            Names have 1 to 64 letters, digits, <code className="font-mono">_</code> or{" "}
            <code className="font-mono">-</code>. What each model allows is under{" "}
            <TextLink href="/models">Models</TextLink>.
          </p>
        </Section>
        <Section id="confidence" title="Confidence">
          <p>
            A number from 0, an even split, to 1, all on one answer. It follows from the probabilities alone; with one
            option or level it is 1.
          </p>
          <dl className="grid max-w-text gap-x-4 gap-y-2 sm:grid-cols-[4rem_1fr]">
            <dt className="font-mono text-sm">choice</dt>
            <dd>
              <code className="font-mono text-sm">max(0, (n · p_max − 1) / (n − 1))</code>, n options, p_max the largest
              probability
            </dd>
            <dt className="font-mono text-sm">score</dt>
            <dd>
              <code className="font-mono text-sm">max(0, 1 − Σ pᵢ·|i − m| / (Σ |i − (n−1)/2| / n))</code>, n levels, m
              the most likely
            </dd>
          </dl>
        </Section>
        <Section id="errors" title="Errors">
          <p>
            No error is charged. Branch on <code className="font-mono">error.code</code>;{" "}
            <code className="font-mono">error.param</code> names the field. Quote{" "}
            <code className="font-mono">x-request-id</code> when you ask for help.
          </p>
          <ErrorTable />
        </Section>
      </div>
    </>
  )
}
