import { Argument, Command } from "commander"
import { addModelName, listModelNames, removeModelName } from "@/lib/server/models/model-names"
import { openCatalogue } from "@/lib/server/models/seed-models"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { DIALECT_NAMES, type DialectName } from "@/lib/shared/models/dialect-names"
import { clientModelName } from "./arguments"
import { type Outcome, type RunCommand, table } from "./outcome"

async function names(change: () => Promise<void> = async () => {}): Promise<Outcome> {
  await openCatalogue(runtime())
  await change()
  const listed = await listModelNames(runtime(), OPERATOR)
  const text = table(
    ["Dialect", "Name", "Means"],
    listed.map(({ dialect, name, targetId }) => [dialect, name, targetId]),
  )
  return { json: { names: listed.map(({ dialect, name, targetId: target }) => ({ dialect, name, target })) }, text }
}

const dialect = () => new Argument("<dialect>", "whose clients may use the name").choices(DIALECT_NAMES)

/** `model name add|list|remove` */
export function nameCommand(act: RunCommand): Command {
  return new Command("name")
    .description("manage the names under which clients of other APIs call a model")
    .addCommand(new Command("list").description("list every name").action(() => act(() => names())))
    .addCommand(
      new Command("add")
        .description("add a name, or change what it means")
        .addArgument(dialect())
        .argument("<name>", "the name that clients send", clientModelName)
        .argument("<target>", "an active model or the alias")
        .action((of: DialectName, name: string, targetId: string) =>
          act(() => names(() => addModelName(runtime(), OPERATOR, { dialect: of, name, targetId }))),
        ),
    )
    .addCommand(
      new Command("remove")
        .description("remove a name")
        .addArgument(dialect())
        .argument("<name>", "the name that clients send", clientModelName)
        .action((of: DialectName, name: string) =>
          act(() => names(() => removeModelName(runtime(), OPERATOR, { dialect: of, name }))),
        ),
    )
}
