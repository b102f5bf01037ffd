import type { Metadata } from "next"
import { requireSession } from "@/lib/server/auth/session"
import { readRunAccount } from "../_components/read-run-account"
import { Evaluate } from "./evaluate"

export const metadata: Metadata = { title: "Evaluate" }

export default async function EvaluatePage() {
  const actor = await requireSession("/evaluate")
  return <Evaluate {...(await readRunAccount(actor))} />
}
