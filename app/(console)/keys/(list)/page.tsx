import type { Metadata } from "next"
import { requireSession } from "@/lib/server/auth/session"
import { keysView } from "../_components/keys-view"

export const metadata: Metadata = { title: "API keys" }

export default async function KeysPage({ searchParams }: PageProps<"/keys">) {
  return keysView(await requireSession("/keys"), await searchParams)
}
