import type { Metadata } from "next"
import { headers } from "next/headers"
import { requireSession } from "@/lib/server/auth/session"
import { realModelCommand } from "@/lib/server/models/real-model"
import { runtime } from "@/lib/server/platform/runtime"
import { readRunAccount } from "../_components/read-run-account"
import { Playground } from "./playground"

export const metadata: Metadata = { title: "Playground" }

export default async function PlaygroundPage() {
  const actor = await requireSession("/playground")
  return (
    <Playground {...(await readRunAccount(actor))} realModelCommand={realModelCommand(runtime(), await headers())} />
  )
}
