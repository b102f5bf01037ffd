import type { Metadata } from "next"
import { cookies, headers } from "next/headers"
import type { ReactNode } from "react"
import { CodeGroup } from "@/components/code-group"
import { Alert } from "@/components/ui/alert"
import { LinkButton } from "@/components/ui/link-button"
import { TextLink } from "@/components/ui/text-link"
import { operatorRoleOf } from "@/lib/server/auth/operator"
import { requireSession } from "@/lib/server/auth/session"
import { readGuide } from "@/lib/server/docs/guide"
import { snippetsOf } from "@/lib/server/docs/parse"
import { wayToModel } from "@/lib/server/models/real-model"
import { runtime } from "@/lib/server/platform/runtime"
import type { StepName } from "@/lib/shared/first-steps/steps"
import { LANGUAGE_COOKIE, snippetLanguageOf } from "@/lib/shared/preferences"
import { StepMark } from "../_components/first-steps/first-steps"
import { ReadLink, RequestStatus } from "./_components/progress"

export const metadata: Metadata = { title: "First steps" }

async function quickstartCode() {
  const quickstart = (await readGuide()).find(({ slug }) => slug === "quickstart")
  return snippetsOf(quickstart?.markdown ?? "").filter(({ title }) => title.startsWith("decide."))
}

function Step({ id, name, title, children }: { id: string; name: StepName; title: string; children: ReactNode }) {
  return (
    <li className="flex flex-col items-start gap-3 border-line border-t py-6 *:max-w-full">
      <h2 id={id} className="flex scroll-mt-5 items-center gap-2.5 font-semibold text-lg">
        <StepMark name={name} />
        {title}
      </h2>
      {children}
    </li>
  )
}

function RealModelNote({ command }: { command: string }) {
  return (
    <Alert>
      Keyword rules answer now, not a model. For a real model, stop the service and run{" "}
      <code className="font-mono text-sm">{command}</code>. It downloads 3 GB once.
    </Alert>
  )
}

export default async function StartPage() {
  const actor = await requireSession("/start")
  const command = wayToModel(runtime(), await headers(), operatorRoleOf(actor) === "admin")?.command
  const language = snippetLanguageOf((await cookies()).get(LANGUAGE_COOKIE)?.value)
  return (
    <ol className="max-w-3xl">
      <Step id="key" name="keyCreated" title="Create a key">
        <p className="max-w-text text-ink-muted">
          Your program sends the key with every request. Set a spend limit, and the key can never spend more. The key is
          shown only once, so copy it.
        </p>
        <LinkButton href="/keys">Create key</LinkButton>
      </Step>
      <Step id="send" name="decisionSent" title="Send the first decision">
        <p className="max-w-text text-ink-muted">
          Set <code className="font-mono text-sm">SVC_API_KEY</code> to your key and run one of these examples. Or run
          the example in the <TextLink href="/playground">playground</TextLink>, which needs no key.
        </p>
        <div className="w-full min-w-0">
          <CodeGroup snippets={await quickstartCode()} language={language} />
        </div>
        <RequestStatus />
        {command ? <RealModelNote command={command} /> : null}
      </Step>
      <Step id="read" name="answerRead" title="Read the answer">
        <p className="max-w-text text-ink-muted">
          The answer gives probabilities for each question. Your program decides at which probability to act. The
          playground shows them as bars. The <ReadLink /> explains each number.
        </p>
      </Step>
    </ol>
  )
}
