import { Command, Option } from "commander"
import { createKeyFor } from "@/lib/server/keys/create-key"
import { revokeKeyFor } from "@/lib/server/keys/revoke-key"
import { parsePublicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
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

const asOperator = (accountId: string) => ({ accountId, auditAs: "operator", clientAddress: null })

async function create(email: string, input: CreateKeyInput): Promise<Outcome> {
  const { id, name, token } = await createKeyFor(asOperator(await findAccountId(email)), input)
  const text = facts([
    ["Id", id],
    ["Name", name],
    ["Key", token],
  ])
  return { json: { id, name, key: token }, text: `${text}\n\nThe key is shown this once. Keep it in a safe place.` }
}

async function revoke(id: string): Promise<Outcome> {
  const { rows } = await runtime().pool.query<{ account_id: string }>("SELECT account_id FROM api_key WHERE id = $1", [
    parsePublicId("key", id),
  ])
  if (!rows[0]) throw new ServiceError("not_found", { message: "There is no such key." })
  await revokeKeyFor(asOperator(rows[0].account_id), { id })
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
