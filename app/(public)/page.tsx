import { CodeBlock } from "@/components/ui/code-block"
import { Highlighted } from "@/components/ui/highlighted"
import { LinkButton } from "@/components/ui/link-button"
import { TextLink } from "@/components/ui/text-link"
import { findSession } from "@/lib/server/auth/session"
import { runtime } from "@/lib/server/platform/runtime"
import { smallCurl } from "@/lib/shared/decisions/example-request"
import { ExampleDecision } from "./_components/example-decision"

const STEPS = [
  {
    title: "Sign in",
    text: "Enter your e-mail address and open the link that we send you. You need no password.",
    href: "/sign-in",
  },
  {
    title: "Create a key",
    text: "Set a daily or lifetime spend limit. The key can never spend more.",
    href: "/keys",
  },
  {
    title: "Send a decision",
    text: "Ask many questions about one text or JSON value in a single request.",
    href: "/docs/quickstart",
  },
] as const

function Steps() {
  return (
    <ol className="flex flex-col gap-5">
      {STEPS.map(({ title, text, href }, index) => (
        <li key={title} className="grid grid-cols-[1.5rem_1fr]">
          <span className="text-ink-muted tabular-nums">{index + 1}</span>
          <div>
            <h3 className="font-medium">
              <TextLink alone href={href}>
                {title}
              </TextLink>
            </h3>
            <p className="mt-0.5 text-ink-muted">{text}</p>
          </div>
        </li>
      ))}
    </ol>
  )
}

export default async function StartPage() {
  // As in the layout: without the database, the page is that of a visitor.
  const actor = await findSession().catch(() => null)
  const curl = smallCurl(runtime().env.BASE_URL, "$SVC_API_KEY")
  return (
    <>
      <div className="pb-10">
        <h1 className="font-semibold text-xl">
          <span className="inline-block">Typed questions in,</span>{" "}
          <span className="inline-block">probabilities out</span>
        </h1>
        <p className="mt-3 max-w-text text-ink-muted text-md">
          Send a text or JSON value with typed questions: yes or no, one of several options, or a level on a scale. A
          decision model answers each question with probabilities instead of prose, so your program can apply its own
          thresholds.
        </p>
        <div className="mt-6 flex flex-wrap gap-2">
          <LinkButton href="/playground">{actor ? "Open playground" : "Sign in to try it"}</LinkButton>
          <LinkButton href="/docs/quickstart" variant="secondary">
            Read the docs
          </LinkButton>
        </div>
      </div>
      <ExampleDecision />
      <section
        aria-labelledby="start"
        className="grid gap-x-12 gap-y-6 pt-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]"
      >
        <div>
          <h2 id="start" className="mb-5 font-semibold text-lg">
            Start in three steps
          </h2>
          <Steps />
        </div>
        <CodeBlock label="First request" code={curl} className="self-start">
          <Highlighted code={curl} language="bash" />
        </CodeBlock>
      </section>
    </>
  )
}
