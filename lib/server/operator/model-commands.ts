import { Command } from "commander"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { PROMPT_TEMPLATE } from "@/lib/server/engines/system-one/request-body"
import { BadTokenizer } from "@/lib/server/engines/tokenizer/tokenizer-thread"
import { addModel } from "@/lib/server/models/add-model"
import { MOST, type ModelLimits } from "@/lib/server/models/catalogue"
import { findTokenizer } from "@/lib/server/models/find-tokenizer"
import { apiKeyFor } from "@/lib/server/models/load-catalogue"
import { moveAlias } from "@/lib/server/models/move-alias"
import { retireModel } from "@/lib/server/models/retire-model"
import { setLimits } from "@/lib/server/models/set-limits"
import { setPrice } from "@/lib/server/models/set-price"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { type Pico, pico } from "@/lib/shared/money"
import { engineUrl, folder, priceUsd, whole } from "./arguments"
import type { Act } from "./command-line"
import { aliasHistory, modelList, modelProbe, modelView, openCatalogue } from "./model-view"
import type { Outcome } from "./outcome"

const QUESTIONS_UNLESS_SET = 16

interface AddOptions {
  engineUrl: string
  engineModel: string
  price?: Pico
  tokenizer?: string
}

interface LimitOptions {
  questions?: number
  options?: number
  levels?: number
  bodyBytes?: number
}

/** Changes a model, notes it in the audit log and shows what it is now. */
async function change(action: string, id: string, work: () => Promise<void>, shown = id): Promise<Outcome> {
  await openCatalogue()
  await work()
  await recordAudit(runtime().pool, { accountId: null, actor: "operator", action: `model.${action}`, subject: id })
  return modelView(shown)
}

async function add(id: string, { engineUrl: url, engineModel, price, tokenizer: folder }: AddOptions): Promise<void> {
  const tokenizer = await findTokenizer({ engineUrl: url, apiKey: apiKeyFor(url), folder: folder ?? null }).catch(
    (thrown) => {
      if (!(thrown instanceof BadTokenizer)) throw thrown
      throw new ServiceError("invalid_request", { message: `The folder cannot be used: ${thrown.message}.` })
    },
  )
  const added = await addModel({
    id,
    engine: "system-one",
    engineUrl: url,
    engineModel,
    pricePico: price ?? pico(0),
    tokenizer,
    promptTemplate: PROMPT_TEMPLATE,
    maxQuestions: QUESTIONS_UNLESS_SET,
  })
  if (!added)
    throw new ServiceError("invalid_request", {
      message: "There is a model with this id already, and a pinned id never changes.",
    })
}

function limitsCommand(act: Act): Command {
  const command = new Command("limits")
    .description("set a model's own limits")
    .argument("<id>", "a pinned model")
    .option("--questions <n>", "questions per request", whole(1, MOST.maxQuestions))
    .option("--options <n>", "options per choice question", whole(1, MOST.maxOptions))
    .option("--levels <n>", "levels per score question", whole(1, MOST.maxLevels))
    .option("--body-bytes <n>", "bytes of a request body", whole(1, MOST.maxBodyBytes))
  return command.action((id: string, { questions, options, levels, bodyBytes }: LimitOptions) => {
    const limits: Partial<ModelLimits> = {
      ...(questions === undefined ? {} : { maxQuestions: questions }),
      ...(options === undefined ? {} : { maxOptions: options }),
      ...(levels === undefined ? {} : { maxLevels: levels }),
      ...(bodyBytes === undefined ? {} : { maxBodyBytes: bodyBytes }),
    }
    if (Object.keys(limits).length === 0) command.error("error: name at least one limit")
    return act(() => change("limits", id, () => setLimits(id, limits)))
  })
}

const addCommand = (act: Act): Command =>
  new Command("add")
    .description("add a pinned model on an engine of yours")
    .argument("<id>", "its id, which will always mean this model")
    .requiredOption("--engine-url <url>", "the engine's address before /v1", engineUrl)
    .requiredOption("--engine-model <name>", "the name under which the engine serves it")
    .option("--price <usd>", "USD per million input tokens; 0 unless set", priceUsd)
    .option("--tokenizer <dir>", "a folder with its tokenizer.json; else the engine counts", folder)
    .action((id: string, options: AddOptions) => act(() => change("add", id, () => add(id, options))))

/** `model list|add|price|limits|retire|alias|probe` */
export function modelCommands(act: Act): Command {
  return new Command("model")
    .description("the catalogue of models")
    .addCommand(
      new Command("list").description("list every model, each engine probed now").action(() => act(modelList)),
    )
    .addCommand(addCommand(act))
    .addCommand(
      new Command("price")
        .description("set a model's price")
        .argument("<id>", "a pinned model")
        .argument("<usd>", "USD per million input tokens", priceUsd)
        .action((id: string, price: Pico) => act(() => change("price", id, () => setPrice(id, price)))),
    )
    .addCommand(limitsCommand(act))
    .addCommand(
      new Command("retire")
        .description("retire a model for good")
        .argument("<id>", "a pinned model that the alias does not point at")
        .option("--replacement <id>", "its successor, named to clients")
        .action((id: string, { replacement }: { replacement?: string }) =>
          act(() => change("retire", id, () => retireModel(id, replacement ?? null))),
        ),
    )
    .addCommand(
      new Command("alias")
        .description(`point ${ALIAS} at a model, or show where it has pointed`)
        .argument("[id]", "an active pinned model; none shows the moves")
        .action((id?: string) =>
          act(() => (id === undefined ? aliasHistory() : change("alias", id, () => moveAlias(id), ALIAS))),
        ),
    )
    .addCommand(
      new Command("probe")
        .description("probe a model's engine now and say why it cannot be used")
        .argument("<id>", "a model")
        .action((id: string) => act(() => modelProbe(id))),
    )
}
