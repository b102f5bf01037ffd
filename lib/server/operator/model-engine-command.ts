import { Command } from "commander"
import { type ChangeEngineInput, changeEngine } from "@/lib/server/models/change-engine"
import { listAddresses } from "@/lib/server/models/list-models"
import { probeModel } from "@/lib/server/models/report-models"
import { openCatalogue } from "@/lib/server/models/seed-models"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { engineUrl } from "./arguments"
import { type Outcome, type RunCommand, table } from "./outcome"

interface EngineOptions {
  url?: string
  add?: boolean
  remove?: boolean
  drain?: string
}

/** Returns the change that the options ask for. Null when they ask for none, and undefined when they do not fit together. */
function changeOf(id: string, { url, add, remove, drain }: EngineOptions): ChangeEngineInput | null | undefined {
  const isOne = [add, remove, drain !== undefined].filter(Boolean).length <= 1
  if (!isOne || (drain !== undefined && url !== undefined)) return undefined
  if (drain !== undefined) return { id, url: drain, how: "drain" }
  if (url === undefined) return add || remove ? undefined : null
  return { id, url, how: add ? "add" : remove ? "remove" : "replace" }
}

const NOTES: Record<ChangeEngineInput["how"], string> = {
  replace: "Every process uses it within a second.",
  add: "Every process uses it within a second.",
  remove: "New requests go elsewhere within a second. Running ones end there, within 90 seconds.",
  drain:
    "New requests go elsewhere within a second. Running ones end there, within 90 seconds. To end the drain, add it again.",
}

async function engines(id: string, change: ChangeEngineInput | null): Promise<Outcome> {
  await openCatalogue(runtime())
  if (change) await changeEngine(runtime(), OPERATOR, change)
  await probeModel(runtime(), OPERATOR, { id })
  const addresses = listAddresses(runtime(), id)
  const rows = addresses.map(({ url, available, reason, isDraining }) => [
    url,
    isDraining ? "draining" : available ? "yes" : `no: ${reason}`,
  ])
  const text = [table(["Address", "Answers"], rows), change && NOTES[change.how]].filter(Boolean).join("\n")
  const json = addresses.map(({ url, available, reason, isDraining }) => ({
    url,
    available,
    reason,
    draining: isDraining,
  }))
  return { json: { id, addresses: json }, text }
}

/** `model engine` */
export function engineCommand(act: RunCommand): Command {
  const command = new Command("engine")
    .description("show or change where a model's engines are; a new one must serve the same model")
    .argument("<id>", "a pinned model")
    .option("--url <url>", "the only address from now on, without /v1", engineUrl)
    .option("--add", "with --url: one more address, or the end of its drain")
    .option("--remove", "with --url: remove this address")
    .option("--drain <url>", "send no new requests to this address", engineUrl)
  return command.action((id: string, options: EngineOptions) => {
    const change = changeOf(id, options)
    if (change === undefined)
      return command.error("error: give --url with at most one of --add and --remove, or --drain")
    return act(() => engines(id, change))
  })
}
