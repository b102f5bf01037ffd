import { CodeBlock } from "@/components/ui/code-block"
import { Highlighted } from "@/components/ui/highlighted"
import { LinkButton } from "@/components/ui/link-button"
import { TextLink } from "@/components/ui/text-link"
import { findSession } from "@/lib/server/auth/session"
import { runtime } from "@/lib/server/platform/runtime"
import { smallCurl } from "@/lib/shared/decisions/example-request"
import { Differences } from "./_components/differences"
import { Examples } from "./_components/examples"
import { Offer } from "./_components/offer"

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

function Introduction({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <div className="flex min-w-0 flex-col gap-6 self-start">
      <div>
        <h1 className="text-balance font-semibold text-xl">
          Ask your text yes/no, multiple-choice or scale questions. Get probabilities you can act on.
        </h1>
        <p className="mt-3 max-w-text text-ink-muted text-md">
          Send a text or JSON value with your questions. A decision model answers each with probabilities instead of
          prose, so your program decides by its own thresholds.
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <LinkButton href="/playground">{isSignedIn ? "Open playground" : "Sign in to try it"}</LinkButton>
        <LinkButton href="/docs/quickstart" variant="secondary">
          Read the docs
        </LinkButton>
      </div>
      <Offer />
    </div>
  )
}

export default async function StartPage() {
  // As in the layout: without the database, the page is that of a visitor.
  const actor = await findSession().catch(() => null)
  const { env } = runtime()
  const curl = smallCurl(env.BASE_URL, "$SVC_API_KEY")
  return (
    <div className="flex flex-col gap-12">
      <div className="grid gap-x-16 gap-y-10 lg:grid-cols-2 lg:grid-rows-[auto_1fr]">
        <Introduction isSignedIn={actor !== null} />
        <div className="min-w-0 lg:row-span-2">
          <Examples mayTry={actor === null && env.isTryOpen} />
        </div>
        <section aria-labelledby="start" className="flex min-w-0 flex-col gap-5">
          <h2 id="start" className="font-semibold text-lg">
            Start in three steps
          </h2>
          <Steps />
          <CodeBlock label="First request" code={curl}>
            <Highlighted code={curl} language="bash" />
          </CodeBlock>
        </section>
      </div>
      <Differences />
    </div>
  )
}
