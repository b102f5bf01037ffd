import { Command } from "commander"
import { addCascade } from "@/lib/server/models/add-cascade"
import { type AddModelInput, addModel } from "@/lib/server/models/add-model"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { type Pico, pico } from "@/lib/shared/money"
import { cascadeParts, engineUrl, folder, newModelId, priceUsd, probability } from "./arguments"
import type { Outcome, RunCommand } from "./outcome"

interface AddOptions {
  engineUrl?: string
  engineModel?: string
  price?: Pico
  tokenizer?: string
  labels?: boolean
  bothOrders?: boolean
  cascade?: [small: string, big: string]
  below?: number
}

const modelOf = (
  id: string,
  { price, tokenizer, labels, bothOrders }: AddOptions,
  engine: Pick<AddModelInput, "engineUrl" | "engineModel">,
): AddModelInput => ({
  ...engine,
  id,
  pricePico: price ?? pico(0),
  tokenizerFolder: tokenizer || null,
  engine: labels ? "labels" : "system-one",
  bothOrders: bothOrders === true,
})

/** Returns what adds the model that the options describe, or the message of a usage error. */
function additionOf(id: string, options: AddOptions): (() => Promise<void>) | string {
  const { cascade, below, engineUrl: url, engineModel, tokenizer, labels, bothOrders } = options
  if (!cascade) {
    if (below !== undefined) return "error: --below needs --cascade"
    if (url === undefined || engineModel === undefined)
      return "error: give --engine-url and --engine-model, or --cascade and --below"
    return () => addModel(runtime(), OPERATOR, modelOf(id, options, { engineUrl: url, engineModel }))
  }
  if (below === undefined) return "error: --cascade needs --below"
  if ([url, engineModel, tokenizer, labels, bothOrders].some((option) => option !== undefined))
    return "error: a cascade has no engine of its own: give only --below and --price with --cascade"
  const [smallId, bigId] = cascade
  return () => addCascade(runtime(), OPERATOR, { id, smallId, bigId, below, pricePico: options.price ?? pico(0) })
}

/** `model add`. `change` runs the work and shows the model. */
export function addCommand(
  act: RunCommand,
  change: (id: string, work: () => Promise<void>) => Promise<Outcome>,
): Command {
  const command = new Command("add")
    .description("add a pinned model on your own engine, or one that asks two others")
    .argument("<id>", "its id, which will always mean this model", newModelId)
    .option("--engine-url <url>", "the engine's address without /v1", engineUrl)
    .option("--engine-model <name>", "the name under which the engine serves it")
    .option("--price <usd>", "USD per million input tokens (default: 0)", priceUsd)
    .option("--tokenizer <dir>", "a folder with its tokenizer.json (default: the engine counts tokens)", folder)
    .option("--labels", "read an ordinary chat model on vLLM, SGLang or llama.cpp by its labels")
    .option("--both-orders", "with --labels: ask about options in both orders and average, at twice the cost")
    .option("--cascade <small:big>", "ask the model SMALL, and BIG where SMALL is not sure", cascadeParts)
    .option("--below <p>", "with --cascade: the probability below which an answer is asked again", probability)
  return command.action((id: string, options: AddOptions) => {
    const add = additionOf(id, options)
    if (typeof add === "string") return command.error(add)
    return act(() => change(id, add))
  })
}
