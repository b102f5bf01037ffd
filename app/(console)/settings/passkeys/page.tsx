import type { Metadata } from "next"
import { listPasskeys } from "@/lib/server/auth/passkeys/own-passkeys"
import { requireSession } from "@/lib/server/auth/session"
import { findRelyingParty } from "@/lib/server/platform/relying-party"
import { runtime } from "@/lib/server/platform/runtime"
import { PasskeyList } from "./_components/passkey-list"

export const metadata: Metadata = { title: "Passkeys" }

export default async function PasskeysPage() {
  const actor = await requireSession("/settings/passkeys")
  const passkeys = await listPasskeys(runtime(), actor)
  return <PasskeyList passkeys={passkeys} isUsable={findRelyingParty(runtime().env.CONSOLE_URL) !== null} />
}
