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

export default async function SignInPage({ searchParams }: PageProps<"/sign-in">) {
  const { next, problem } = await searchParams
  if (await findSession()) redirect(returnPath(next))
  const { email, retryAtMs } = await findSignInState(runtime())
  return (
    <>
      <AuthHeading title="Sign in">
        We e-mail you a link that signs you in. You need no password. {NEWCOMERS[runtime().env.SIGN_UP]}
      </AuthHeading>
      <SignInNotice kind={problem} retryAtMs={retryAtMs} />
      {/* A native form, so signing in works without JavaScript. */}
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
        <input type="hidden" name="next" value={returnPath(next)} />
        <Button type="submit">{problem === "link" && email !== "" ? "Send a new link" : "Send sign-in link"}</Button>
      </form>
    </>
  )
}
