import type { Metadata } from "next"
import { notFound, redirect } from "next/navigation"
import { openPath } from "@/lib/server/auth/return-path"
import { requireSession } from "@/lib/server/auth/session"
import { findAccountOfKey, findKey } from "@/lib/server/keys/read-keys"
import type { UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { keyView } from "./_components/key-view"

export const metadata: Metadata = { title: "API key" }

export default async function KeyPage({ params }: PageProps<"/keys/[id]">) {
  const { id } = await params
  const actor = await requireSession("/keys/[id]", `/keys/${id}`)
  return keyView(actor, (await findKey(runtime(), actor, id)) ?? (await openOtherAccount(actor, id)))
}

/** Redirects to the page that offers to switch when the key is in another account of the user. Otherwise responds with 404. */
async function openOtherAccount(actor: UserActor, id: string): Promise<never> {
  const accountId = await findAccountOfKey(runtime(), actor, id)
  return accountId ? redirect(openPath(accountId, `/keys/${id}`)) : notFound()
}
