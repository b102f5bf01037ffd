import { Command, Option } from "commander"
import { createKey } from "@/lib/server/keys/create-key"
import { findAccountOfKey, revokeKey } from "@/lib/server/keys/revoke-key"
import { operatorFor } from "@/lib/server/platform/actor"
import { CreateKeyInput } from "@/lib/shared/keys/schema"
import { findAccountId } from "./account-view"
import type { Act } from "./command-line"
import { facts, type Outcome } from "./outcome"

interface CreateOptions {
  name: string
  limitUsd?: string
  period?: "daily" | "lifetime"
  expiresAt?: string
}

async function create(email: string, input: CreateKeyInput): Promise<Outcome> {
  const { id, name, token } = await createKey(operatorFor(await findAccountId(email)), input)
  const text = facts([
    ["Id", id],
    ["Name", name],
    ["Key", token],
  ])
  return { json: { id, name, key: token }, text: `${text}\n\nThe key is shown this once. Keep it in a safe place.` }
}

async function revoke(id: string): Promise<Outcome> {
  await revokeKey(operatorFor(await findAccountOfKey(id)), { id })
  return { json: { id, status: "revoked" }, text: `Revoked ${id}.` }
}

/** `key create|revoke` */
export function keyCommands(act: Act): Command {
  const createCommand = new Command("create")
    .description("make a key for an account and print it, once")
    .argument("<email>", "the address that the account was made for")
    .requiredOption("--name <name>", "what the key is for")
    .option("--limit-usd <usd>", "the most it may spend; needs --period")
    .addOption(new Option("--period <period>", "what the limit counts").choices(["daily", "lifetime"]))
    .option("--expires-at <iso>", "when it ends, such as 2027-01-31T12:00:00Z")
  createCommand.action((email: string, { name, limitUsd, period, expiresAt }: CreateOptions) => {
    if ((limitUsd === undefined) !== (period === undefined))
      createCommand.error("error: --limit-usd and --period go together")
    const limit = limitUsd !== undefined && period ? { amountUsd: limitUsd, period } : null
    const input = CreateKeyInput.parse({ name, limit, expiresAt: expiresAt ?? null })
    return act(() => create(email, input))
  })
  return new Command("key")
    .description("API keys of any account")
    .addCommand(createCommand)
    .addCommand(
      new Command("revoke")
        .description("end a key for good")
        .argument("<id>", "key_…, as account show prints it")
        .action((id: string) => act(() => revoke(id))),
    )
}
