import type { Metadata } from "next"
import { cookies } from "next/headers"
import type { ReactNode } from "react"
import { CodeGroup } from "@/components/code-group"
import { LANGUAGE_COOKIE, SnippetLanguage } from "@/components/snippet-language"
import { LinkButton } from "@/components/ui/link-button"
import { TextLink } from "@/components/ui/text-link"
import { requireSession } from "@/lib/server/auth/session"
import { readGuide } from "@/lib/server/docs/guide"
import { snippetsOf } from "@/lib/server/docs/parse"
import type { StepName } from "@/lib/shared/first-steps/steps"
import { StepMark } from "../_components/first-steps/step-mark"
import { ReadLink } from "./_components/read-link"
import { Waiting } from "./_components/waiting"

export const metadata: Metadata = { title: "First steps" }

/** The quickstart's own code, in each language. */
async function quickstartCode() {
  const quickstart = (await readGuide()).find(({ slug }) => slug === "quickstart")
  return snippetsOf(quickstart?.markdown ?? "").filter(({ title }) => title.startsWith("decide."))
}

function Step({ id, name, title, children }: { id: string; name: StepName; title: string; children: ReactNode }) {
  return (
    <li className="flex flex-col items-start gap-3 border-line border-t py-6 *:max-w-full">
      <h2 id={id} className="flex scroll-mt-5 items-center gap-2.5 font-semibold text-md">
        <StepMark name={name} />
        {title}
      </h2>
      {children}
    </li>
  )
}

export default async function StartPage() {
  await requireSession("/start")
  const language = SnippetLanguage.parse((await cookies()).get(LANGUAGE_COOKIE)?.value)
  return (
    <ol className="max-w-3xl">
      <Step id="key" name="keyCreated" title="Create a key">
        <p className="max-w-text text-ink-muted">
          Your program shows it with every request. Give it a spend limit: it can never cost more than that. You see the
          key once, so copy it.
        </p>
        <LinkButton href="/keys">Create key</LinkButton>
      </Step>
      <Step id="send" name="decisionSent" title="Send the first decision">
        <p className="max-w-text text-ink-muted">
          Put the key into <code className="font-mono text-sm">SVC_API_KEY</code> and run one of these. Or run the
          example in the <TextLink href="/playground">playground</TextLink>, which needs no key.
        </p>
        <div className="w-full min-w-0">
          <CodeGroup snippets={await quickstartCode()} language={language} />
        </div>
        <Waiting />
      </Step>
      <Step id="read" name="answerRead" title="Read the answer">
        <p className="max-w-text text-ink-muted">
          Each question comes back with probabilities. Your program decides from which on it acts. In the playground you
          see them as bars; what each number means is in the <ReadLink />.
        </p>
      </Step>
    </ol>
  )
}
