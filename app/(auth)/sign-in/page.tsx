import type { Metadata } from "next"
import { redirect } from "next/navigation"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { returnPath } from "@/lib/server/auth/return-path"
import { findSession } from "@/lib/server/auth/session"
import { findSignInState } from "@/lib/server/auth/sign-in-state"
import { runtime } from "@/lib/server/platform/runtime"
import { AuthHeading } from "../_components/auth-heading"
import { SignInNotice } from "./_components/sign-in-notice"

export const metadata: Metadata = { title: "Sign in" }

const NEWCOMERS = {
  open: "Your first sign-in creates an account.",
  domains: "Your first sign-in creates an account if you were invited or the operator has accepted your domain.",
  invited: "Your first sign-in creates an account if you were invited.",
  off: "This service accepts no new users.",
} as const

function howTo({ link, oidc }: { link: boolean; oidc: boolean }, provider: string): string {
  if (!link) return `You sign in with ${provider}.`
  if (!oidc) return "We e-mail you a link that signs you in. You need no password."
  return `Sign in with ${provider}, or with a link that we e-mail you. You need no password here.`
}

/** A native form, so signing in works without JavaScript. */
function ProviderForm({ next, variant }: { next: string; variant: "primary" | "secondary" }) {
  return (
    <form method="post" action="/api/auth/signin/oidc" className="flex flex-col">
      <input type="hidden" name="next" value={next} />
      <Button type="submit" variant={variant}>
        Continue with {runtime().env.OIDC_NAME}
      </Button>
    </form>
  )
}

function Or() {
  return (
    <p className="flex items-center gap-3 text-ink-muted text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      or
    </p>
  )
}

export default async function SignInPage({ searchParams }: PageProps<"/sign-in">) {
  const { next, problem } = await searchParams
  if (await findSession()) redirect(returnPath(next))
  const { email, retryAtMs } = await findSignInState(runtime())
  const { SIGN_IN: ways, SIGN_UP, OIDC_NAME } = runtime().env
  return (
    <>
      <AuthHeading title="Sign in">
        {howTo(ways, OIDC_NAME)} {NEWCOMERS[SIGN_UP]}
      </AuthHeading>
      <SignInNotice kind={problem} retryAtMs={retryAtMs} ways={ways} provider={OIDC_NAME} />
      {ways.oidc ? <ProviderForm next={returnPath(next)} variant={ways.link ? "secondary" : "primary"} /> : null}
      {ways.oidc && ways.link ? <Or /> : null}
      {ways.link ? <LinkForm next={returnPath(next)} problem={problem} email={email} /> : null}
    </>
  )
}

/** A native form, so signing in works without JavaScript. */
function LinkForm({ next, problem, email }: { next: string; problem: unknown; email: string }) {
  return (
    <form method="post" action="/api/auth/signin/email" noValidate className="flex flex-col gap-4">
      <Field
        label="E-mail address"
        error={problem === "email" ? "Enter an e-mail address such as ada@example.com." : undefined}
        required
      >
        <Input
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={320}
          defaultValue={email}
          autoFocus
        />
      </Field>
      <input type="hidden" name="next" value={next} />
      <Button type="submit">{problem === "link" && email !== "" ? "Send a new link" : "Send sign-in link"}</Button>
    </form>
  )
}
