import { Command } from "commander"
import { verifyLedger } from "@/lib/server/ledger/verify-ledger"
import type { Act } from "./command-line"
import type { Outcome } from "./outcome"

async function verify(): Promise<Outcome> {
  const { ok, checks } = await verifyLedger()
  const failing = checks.filter((check) => !check.ok)
  const text = checks.map(
    (check) => `${check.ok ? "ok  " : "FAIL"}  ${check.name}${check.ok ? "" : ` (${check.violations})`}`,
  )
  if (ok) return { json: { ok, checks }, text: text.join("\n") }
  const complaint = `The ledger drifts: ${failing.map((check) => `${check.name} (${check.violations})`).join("; ")}.`
  return { json: { ok, checks }, text: text.join("\n"), complaint }
}

/** `ledger verify` */
export function ledgerCommands(act: Act): Command {
  return new Command("ledger")
    .description("the ledger")
    .addCommand(
      new Command("verify")
        .description("check every invariant of the ledger; ends with 1 on drift")
        .action(() => act(verify)),
    )
}
