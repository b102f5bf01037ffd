import type { Metadata } from "next"
import { requireSession } from "@/lib/server/auth/session"
import { readRunAccount } from "../_components/read-run-account"
import { Playground } from "./playground"

export const metadata: Metadata = { title: "Playground" }

export default async function PlaygroundPage() {
  const actor = await requireSession("/playground")
  return <Playground {...(await readRunAccount(actor))} />
}
