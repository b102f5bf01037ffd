import type { Metadata } from "next"
import { findSession } from "@/lib/server/auth/session"
import { runtime } from "@/lib/server/platform/runtime"
import { AddressResult } from "./_components/address-result"
import { ConfirmLink } from "./_components/confirm-link"

export const metadata: Metadata = { title: "Confirm sign-in" }

export default async function ConfirmPage({ searchParams }: PageProps<"/sign-in/confirm">) {
  const { address } = await searchParams
  if (typeof address === "string") return <AddressResult result={address} />
  const actor = await findSession()
  return <ConfirmLink signedInAs={actor?.email ?? null} provider={runtime().env.OIDC_NAME} />
}
