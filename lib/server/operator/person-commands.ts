import { Command } from "commander"
import {
  type ActForPersonInput,
  endPersonSessions,
  erasePerson,
  removePerson,
} from "@/lib/server/closing/act-for-person"
import { exportPerson } from "@/lib/server/closing/export-person"
import { getPerson } from "@/lib/server/closing/find-person"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { countOf } from "@/lib/shared/format"
import { emailAddress, note } from "./arguments"
import { facts, type Outcome, type RunCommand, table } from "./outcome"

async function show(email: string): Promise<Outcome> {
  const person = await getPerson(runtime(), OPERATOR, { email })
  const summary = facts([
    ["Person", `${person.email} (${person.id})`],
    ["Created", person.createdAt],
    ["Sessions", String(person.sessions)],
  ])
  const accounts = table(
    ["Account", "Name", "Role", "Status", "Only owner", "Other members"],
    person.accounts.map(({ id, name, role, status, isOnlyOwner, others }) => [
      ...[id, name, role, status],
      ...[isOnlyOwner ? "yes" : "no", String(others)],
    ]),
  )
  return {
    json: {
      id: person.id,
      email: person.email,
      created_at: person.createdAt,
      sessions: person.sessions,
      accounts: person.accounts.map(({ isOnlyOwner, others, ...account }) => ({
        ...account,
        is_only_owner: isOnlyOwner,
        other_members: others,
      })),
    },
    text: `${summary}\n\n${accounts}`,
  }
}

async function endSessions(input: ActForPersonInput): Promise<Outcome> {
  const { ended } = await endPersonSessions(runtime(), OPERATOR, input)
  return { json: { ended }, text: `Ended ${countOf(ended, "session")}.` }
}

async function remove(input: ActForPersonInput): Promise<Outcome> {
  const { removed } = await removePerson(runtime(), OPERATOR, input)
  return { json: { removed }, text: `Removed from ${countOf(removed, "account")}.` }
}

async function exportData(input: ActForPersonInput): Promise<Outcome> {
  const json = await exportPerson(runtime(), OPERATOR, input)
  return { json, text: JSON.stringify(json, null, 2) }
}

async function erase(input: ActForPersonInput): Promise<Outcome> {
  const { isMailed } = await erasePerson(runtime(), OPERATOR, input)
  const mail = isMailed ? "A mail confirms that." : "No mail was sent, because the person was in no account."
  return { json: { deleted: true, is_mailed: isMailed }, text: `The person was deleted. ${mail}` }
}

/** `person show|signout|remove|export|delete` */
export function personCommands(act: RunCommand): Command {
  const one = (name: string, description: string) =>
    new Command(name)
      .description(description)
      .argument("<email>", "the address that the person signs in with", emailAddress)
  const acting = (name: string, description: string, work: (input: ActForPersonInput) => Promise<Outcome>) =>
    one(name, description)
      .requiredOption("--note <text>", "the reason, which only operators see in the audit log", note)
      .action((email: string, options: { note: string }) => act(() => work({ email, note: options.note })))
  return new Command("person")
    .description("act for a person, such as one who left or who asks by letter")
    .addCommand(
      one("show", "show a person's accounts and number of sessions").action((email: string) => act(() => show(email))),
    )
    .addCommand(acting("signout", "end every session of a person", endSessions))
    .addCommand(acting("remove", "remove a person from every account that has other members", remove))
    .addCommand(acting("export", "print everything that is stored about a person as JSON", exportData))
    .addCommand(acting("delete", "delete a person and the accounts that nobody else is in", erase))
}
