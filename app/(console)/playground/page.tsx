import type { Metadata } from "next"
import { headers } from "next/headers"
import { operatorRoleOf } from "@/lib/server/auth/operator"
import { requireSession } from "@/lib/server/auth/session"
import { readRecordedAnswers } from "@/lib/server/decisions/read-recorded"
import { wayToModel } from "@/lib/server/models/real-model"
import { runtime } from "@/lib/server/platform/runtime"
import { readRunAccount } from "../_components/read-run-account"
import { Playground } from "./playground"

export const metadata: Metadata = { title: "Playground" }

export default async function PlaygroundPage() {
  const actor = await requireSession("/playground")
  const modelWay = wayToModel(runtime(), await headers(), operatorRoleOf(actor) === "admin")
  const [account, recorded] = await Promise.all([readRunAccount(actor), readRecordedAnswers(runtime())])
  return <Playground {...account} modelWay={modelWay} recorded={recorded} />
}
