import { readFileSync } from "node:fs"
import type { Command } from "commander"
import { expect, test } from "vitest"
import { createProgram } from "@/lib/server/operator/command-line"
import { keepPrinted } from "./keep-printed"
import { listActions } from "./list-routes"

// Verbs take typed input and check no shape. What arrives from outside is parsed where it arrives.

/** Actions that take a form as the browser sends it without JavaScript. */
const FORM_ACTIONS = [
  "app/(auth)/join/[id]/actions.ts acceptInvitationAction",
  "app/(console)/_components/theme/actions.ts setTheme",
  "app/(console)/models/actions.ts echoInput",
]

test("every server action parses its input with a schema, but for those that read a form", () => {
  const parsed = /^export const (\w+) = (?:userAction|userRead|operatorAction)\(\s*[A-Z]\w+,/gm
  const without = listActions().filter((name) => {
    const [file = "", action] = name.split(/ (?=\w+$)/)
    return ![...readFileSync(file, "utf8").matchAll(parsed)].some(([, found]) => found === action)
  })
  expect(without).toEqual(FORM_ACTIONS)
})

/** Texts of commands that a verb only compares with what is stored, that name a file, or that the command parses together. */
const FREE_TEXTS = [
  "account close <account>",
  "account credit <account>",
  "account debit <account>",
  "account limits <account>",
  "account list --after",
  "account list --search",
  "account resume <account>",
  "account show <account>",
  "account suspend <account>",
  "allowance end <id>",
  "allowance set <target>",
  "audit list --account",
  "backup copy --into",
  "backup create <file>",
  "backup rehearse <file>",
  "backup restore --into",
  "backup restore --reapply",
  "backup restore <file>",
  "backup verify <file>",
  "key create --expires-at",
  "key create --limit-usd",
  "key create --name",
  "key create --note",
  "key create --tags",
  "key create <account>",
  "key replace --overlap-hours",
  "key replace <id>",
  "key revoke <id>",
  "model add --engine-model",
  "model alias <id>",
  "model engine <id>",
  "model limits <id>",
  "model name add <target>",
  "model price <id>",
  "model probe <id>",
  "model record <id>",
  "model retire --replacement",
  "model retire <id>",
  "model run <model>",
  "model shadow --to",
  "model shadow <alias>",
  "model stop <model>",
  "operator remove <id>",
  "token create --expires-at",
  "token create --scope",
  "token create <name>",
  "token revoke <id>",
  "topup end <id>",
  "topup list --after",
  "topup list <account>",
  "topup refund <id>",
  "topup settle <id>",
]

/** Returns the arguments and options of a command that nothing parses. */
function unparsed(command: Command, path: string): string[] {
  const free = (given: { parseArg?: unknown; argChoices?: unknown }) => !given.parseArg && !given.argChoices
  const own = [
    ...command.registeredArguments.filter(free).map((argument) => `${path} <${argument.name()}>`),
    ...command.options.filter((option) => !option.isBoolean() && free(option)).map(({ long }) => `${path} ${long}`),
  ]
  return [...own, ...command.commands.flatMap((sub) => unparsed(sub, `${path} ${sub.name()}`.trim()))]
}

test("every command parses what a verb relies on", () => {
  const program = createProgram(async () => {}, keepPrinted().terminal)
  expect(unparsed(program, "").toSorted()).toEqual(FREE_TEXTS)
})
