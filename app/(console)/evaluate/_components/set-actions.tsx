"use client"
import { useRouter } from "next/navigation"
import { useOpenSet, useOpenSetStore } from "../model/open-set"
import { SetMenu } from "./sets/set-menu"

/** Renders the menu of the open set. */
export function SetActions() {
  const router = useRouter()
  const set = useOpenSet((state) => state.set)
  const { changeSet } = useOpenSetStore()
  return <SetMenu set={set} onRenamed={(name) => changeSet({ name })} onRemoved={() => router.push("/evaluate")} />
}
