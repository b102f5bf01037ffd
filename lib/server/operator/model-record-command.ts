import { Command } from "commander"
import { recordExamples } from "@/lib/server/decisions/record-examples"
import { probeModel } from "@/lib/server/models/report-models"
import { openCatalogue } from "@/lib/server/models/seed-models"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { countOf } from "@/lib/shared/format"
import type { Outcome, RunCommand } from "./outcome"

async function record(given: string): Promise<Outcome> {
  await openCatalogue(runtime())
  // A command knows nothing about an engine before it has probed it.
  await probeModel(runtime(), OPERATOR, { id: given })
  const { id, examples, tokens } = await recordExamples(runtime(), OPERATOR, { id: given })
  return {
    json: { id, examples, tokens },
    text: `Recorded the answers of ${id} to ${countOf(examples, "example")}, ${countOf(tokens, "token")} in all. Nobody was charged.`,
  }
}

/** `model record` */
export const recordCommand = (act: RunCommand): Command =>
  new Command("record")
    .description("record a model's answers to the examples that the console shows")
    .argument("<id>", "a model")
    .action((id: string) => act(() => record(id)))
