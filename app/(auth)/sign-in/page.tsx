import type { Metadata } from "next"
import { redirect } from "next/navigation"
import { returnPath } from "@/lib/server/auth/return-path"
import { findSession } from "@/lib/server/auth/session"
import { findSignInState } from "@/lib/server/auth/sign-in-state"
import { AuthHeading } from "../_components/auth-heading"
import { EmailForm } from "./_components/email-form"
import { Problem } from "./_components/problem"

export const metadata: Metadata = { title: "Sign in" }

type Query = Promise<{ next?: string | string[]; problem?: string | string[] }>

export default async function SignInPage({ searchParams }: { searchParams: Query }) {
  const { next, problem } = await searchParams
  if (await findSession()) redirect(returnPath(next))
  const { email, retryAtMs } = await findSignInState()
  const again = problem === "link" && email !== ""
  return (
    <>
      <AuthHeading title="Sign in">
        We e-mail you a link that signs you in. You need no password. The first sign-in creates your account.
      </AuthHeading>
      <Problem kind={problem} retryAtMs={retryAtMs} />
      <EmailForm
        email={email}
        next={returnPath(next)}
        error={problem === "email" ? "Enter an e-mail address such as ada@example.com." : undefined}
        label={again ? "Send a new link" : "Send sign-in link"}
      />
    </>
  )
}
