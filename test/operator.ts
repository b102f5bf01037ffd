import { expect } from "vitest"
import { operate } from "@/lib/server/operator/command-line"
import { runtime } from "@/lib/server/platform/runtime"
import { keepPrinted } from "./keep-printed"

export interface Ended {
  code: number
  out: string
  err: string
}

export async function operator(...args: string[]): Promise<Ended> {
  const { terminal, printed } = keepPrinted()
  const code = await operate(args, terminal, (work) => work())
  return { code, ...printed }
}

export async function operatorJson(...args: string[]) {
  const { code, out, err } = await operator(...args, "--json")
  expect([code, err]).toEqual([0, ""])
  return JSON.parse(out)
}

export async function audited(action: string, subject: string): Promise<{ actor: string }[]> {
  const { rows } = await runtime().pool.query("SELECT actor FROM audit_event WHERE action = $1 AND subject = $2", [
    action,
    subject,
  ])
  return rows
}
