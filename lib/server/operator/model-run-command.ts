import { existsSync } from "node:fs"
import path from "node:path"
import { Command } from "commander"
import { countModelServers, listModelOrders, type OrderRun, runModel, stopModel } from "@/lib/server/models/order-model"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { OFFERED_MODELS } from "@/lib/shared/models/offered-models"
import { type Outcome, type RunCommand, table } from "./outcome"

const jsonOf = ({ doneBytes, totalBytes, ...run }: OrderRun) => ({
  ...run,
  done_bytes: doneBytes,
  total_bytes: totalBytes,
})

function stateText({ state, doneBytes, totalBytes, reason }: OrderRun): string {
  if (state === "downloading" && doneBytes !== null && totalBytes)
    return `downloading, ${Math.floor((100 * doneBytes) / totalBytes)} %`
  return reason === null ? state : `${state}: ${reason}`
}

const NO_SERVER = "No server that runs models is up now. The order is carried out when one starts."

async function list(): Promise<Outcome> {
  const [orders, servers] = await Promise.all([listModelOrders(runtime(), OPERATOR), countModelServers(runtime())])
  const ordered = orders.flatMap(({ source, modelId, runs }) =>
    runs.length === 0
      ? [[source, modelId, null, "waiting"]]
      : runs.map((run) => [
          source,
          modelId,
          run.address === null ? run.host : `${run.host} ${run.address}`,
          stateText(run),
        ]),
  )
  const offered = OFFERED_MODELS.map(({ name, size, license, languages }) => [name, size, license, languages])
  const parts = [
    orders.length === 0 ? "No models are ordered." : table(["Ordered", "Model", "Server", "State"], ordered),
    ...(orders.length > 0 && servers === 0 ? [NO_SERVER] : []),
    table(["Offered", "Size", "License", "Languages"], offered),
  ]
  const json = orders.map(({ source, modelId, orderedAt, runs }) => ({
    ...{ source, model: modelId, ordered_at: orderedAt },
    runs: runs.map(jsonOf),
  }))
  return { json: { servers, orders: json, offered: OFFERED_MODELS }, text: parts.join("\n\n") }
}

async function run(model: string, acceptsLicense: boolean): Promise<Outcome> {
  const isFile = !model.startsWith("hf:") && existsSync(model)
  const { source } = await runModel(runtime(), OPERATOR, {
    model: isFile ? path.resolve(model) : model,
    acceptsLicense,
  })
  const servers = await countModelServers(runtime())
  const next = servers === 0 ? NO_SERVER : "`model run` without a model shows how far it is."
  return { json: { source, servers }, text: `Ordered ${source}. ${next}` }
}

async function stop(model: string): Promise<Outcome> {
  const isFile = !model.startsWith("hf:") && existsSync(model)
  const stopped = isFile ? path.resolve(model) : model
  await stopModel(runtime(), OPERATOR, { model: stopped })
  return { json: { stopped }, text: `Stopped ${stopped}. A download that was cancelled continues with the next order.` }
}

/** `model run` */
export const runCommand = (act: RunCommand): Command =>
  new Command("run")
    .description("let the servers download and run a model, or show which ones they run")
    .argument(
      "[model]",
      "an offered model, hf:OWNER/REPO, hf:OWNER/REPO@COMMIT:FILE or a .gguf file of the server's machine",
    )
    .option("--accept-license", "accept the license of an offered model")
    .action((model: string | undefined, { acceptLicense = false }: { acceptLicense?: boolean }) =>
      act(() => (model === undefined ? list() : run(model, acceptLicense))),
    )

/** `model stop` */
export const stopCommand = (act: RunCommand): Command =>
  new Command("stop")
    .description("stop a model that was ordered, or cancel its download")
    .argument("<model>", "its id, or what was ordered")
    .action((model: string) => act(() => stop(model)))
