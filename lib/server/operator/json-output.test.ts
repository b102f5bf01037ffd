import type { Command } from "commander"
import { expect, test } from "vitest"
import { keepPrinted } from "@/test/keep-printed"
import { createProgram, operate } from "./command-line"

/** Every command with arguments that it accepts. */
const ARGUMENTS: Record<string, string[]> = {
  "account create": ["ada@example.com"],
  "account show": ["ada@example.com"],
  "account list": [],
  "account credit": ["ada@example.com", "5", "--note", "x"],
  "account debit": ["ada@example.com", "5", "--note", "x"],
  "account limits": ["ada@example.com", "--per-second", "1"],
  "account suspend": ["ada@example.com"],
  "account resume": ["ada@example.com"],
  "account close": ["ada@example.com"],
  "allowance set": ["example.com", "20"],
  "allowance list": [],
  "allowance end": ["alw_1"],
  "audit list": [],
  "backup create": ["a.backup"],
  "backup verify": ["a.backup"],
  "backup rehearse": [],
  "backup restore": ["a.backup", "--into", "folder"],
  "backup copy": ["--into", "folder"],
  "key create": ["ada@example.com", "--name", "CI"],
  "key replace": ["key_1"],
  "key revoke": ["key_1"],
  "ledger verify": [],
  fleet: [],
  migrate: [],
  "model list": [],
  "model add": ["a", "--engine-url", "http://localhost:1", "--engine-model", "m"],
  "model price": ["a", "1"],
  "model limits": ["a", "--questions", "1"],
  "model engine": ["a"],
  "model name list": [],
  "model name add": ["systemone", "jev-lab", "a"],
  "model name remove": ["systemone", "jev-lab"],
  "model retire": ["a"],
  "model alias": [],
  "model accounts": [],
  "model probe": ["a"],
  "model record": ["a"],
  "model run": [],
  "model stop": ["a"],
  "model shadow": ["a"],
  "operator invite": ["ada@example.com", "--role", "support"],
  "operator list": [],
  "operator remove": ["opr_1"],
  "signing rotate": [],
  "person show": ["a@example.com"],
  "person signout": ["a@example.com", "--note", "x"],
  "person remove": ["a@example.com", "--note", "x"],
  "person export": ["a@example.com", "--note", "x"],
  "person delete": ["a@example.com", "--note", "x"],
  "token create": ["CI", "--scope", "service.read"],
  "token list": [],
  "token revoke": ["opt_1"],
  "topup events": [],
  "topup list": [],
  "topup refund": ["top_1", "--note", "x"],
  "topup settle": ["top_1", "--usd", "5", "--note", "x"],
  "topup end": ["top_1", "--note", "x"],
}

const namesOf = (command: Command, path: string[] = []): string[] =>
  command.commands.length === 0
    ? [path.join(" ")]
    : command.commands.flatMap((child) => namesOf(child, [...path, child.name()]))

test("the table has every command", () => {
  const program = createProgram(async () => {}, { out: () => {}, err: () => {} })
  expect(namesOf(program).toSorted()).toEqual(Object.keys(ARGUMENTS).toSorted())
})

test.each(Object.entries(ARGUMENTS))("%s prints one JSON object with --json, and text without", async (name, args) => {
  const run = async (...options: string[]) => {
    const { terminal, printed } = keepPrinted()
    const outcome = { json: { done: true }, text: "Done." }
    const code = await operate([...name.split(" "), ...args, ...options], terminal, async () => outcome)
    return { code, ...printed }
  }
  expect(await run("--json")).toEqual({ code: 0, out: '{"done":true}\n', err: "" })
  expect(await run()).toEqual({ code: 0, out: "Done.\n", err: "" })
})
