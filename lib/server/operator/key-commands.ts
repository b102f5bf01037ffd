import { Command, Option } from "commander"
import { createKey } from "@/lib/server/keys/create-key"
import { replaceKey } from "@/lib/server/keys/replace-key"
import { operatorForKey, revokeKey } from "@/lib/server/keys/revoke-key"
import { runtime } from "@/lib/server/platform/runtime"
import { KEY_TEXTS, type KeyTexts } from "@/lib/shared/keys/key-texts"
import { CreateKeyInput, MAX_OVERLAP_HOURS, ReplaceKeyInput } from "@/lib/shared/keys/schema"
import { ACCOUNT, operatorOn } from "./named-account"
import { facts, type Outcome, type RunCommand } from "./outcome"

interface CreateOptions extends Partial<Record<keyof KeyTexts, string>> {
  name: string
  limitUsd?: string
  period?: "daily" | "lifetime"
  expiresAt?: string
  tags?: string
}

async function create(named: string, input: CreateKeyInput): Promise<Outcome> {
  const { id, name, token } = await createKey(runtime(), await operatorOn(named), input)
  const text = facts([
    ["Id", id],
    ["Name", name],
    ["Key", token],
  ])
  return { json: { id, name, key: token }, text: `${text}\n\nThe key is shown only once. Store it in a safe place.` }
}

async function replace(input: ReplaceKeyInput): Promise<Outcome> {
  const { id, name, token } = await replaceKey(runtime(), await operatorForKey(runtime(), input.id), input)
  const text = facts([
    ["Id", id],
    ["Name", name],
    ["New key", token],
    ["Old secret", input.overlapHours === 0 ? "refused from now on" : `works for ${input.overlapHours} h more`],
  ])
  return { json: { id, name, key: token }, text: `${text}\n\nThe key is shown only once. Store it in a safe place.` }
}

async function revoke(id: string): Promise<Outcome> {
  await revokeKey(runtime(), await operatorForKey(runtime(), id), { id })
  return { json: { id, status: "revoked" }, text: `Revoked ${id}.` }
}

/** `key create|replace|revoke` */
export function keyCommands(act: RunCommand): Command {
  const createCommand = new Command("create")
    .description("create a key for an account and print it once")
    .argument("<account>", ACCOUNT)
    .requiredOption("--name <name>", "what the key is for")
    .option("--limit-usd <usd>", "its spend limit; needs --period")
    .addOption(new Option("--period <period>", "how long the limit counts").choices(["daily", "lifetime"]))
    .option("--expires-at <iso>", "when it expires, such as 2027-01-31T12:00:00Z")
    .option("--tags <tags>", "its cost centres, such as team=search,env=prod")
  for (const { column, hint } of Object.values(KEY_TEXTS))
    createCommand.option(`--${column.replaceAll("_", "-")} <text>`, hint)
  createCommand.action((named: string, { name, limitUsd, period, expiresAt, ...texts }: CreateOptions) => {
    if ((limitUsd === undefined) !== (period === undefined))
      createCommand.error("error: --limit-usd and --period must be given together")
    const limit = limitUsd !== undefined && period ? { amountUsd: limitUsd, period } : null
    // Parsed here too, so that a wrong option exits with 2 before the database is opened.
    const input = CreateKeyInput.parse({ name, limit, expiresAt: expiresAt ?? null, ...texts })
    return act(() => create(named, input))
  })
  return new Command("key")
    .description("manage the API keys of any account")
    .addCommand(createCommand)
    .addCommand(
      new Command("replace")
        .description("give a key a new secret and print it once; id, name, limit and usage stay")
        .argument("<id>", "key_…, as `account show` prints it")
        .option("--overlap-hours <hours>", `how long the old secret still works, 0 to ${MAX_OVERLAP_HOURS}`, "24")
        .action((id: string, { overlapHours }: { overlapHours: string }) => {
          const input = ReplaceKeyInput.parse({ id, overlapHours })
          return act(() => replace(input))
        }),
    )
    .addCommand(
      new Command("revoke")
        .description("revoke a key for good")
        .argument("<id>", "key_…, as `account show` prints it")
        .action((id: string) => act(() => revoke(id))),
    )
}
