"use client"
import { useSearchParams } from "next/navigation"
import type { RunAccount } from "@/lib/shared/runs/model-choice"
import { SetPage } from "./_components/set-page"
import { SetList } from "./_components/sets/set-list"
import { AccountProvider } from "./model/open-set"

/** Shows the saved sets, or the set that the address names. Sets are in this browser, so the server knows none of them. */
export function Evaluate(account: RunAccount) {
  const id = useSearchParams().get("set")
  return <AccountProvider account={account}>{id === null ? <SetList /> : <SetPage key={id} id={id} />}</AccountProvider>
}
