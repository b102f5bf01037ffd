import { Command, Option } from "commander"
import { inviteOperator, listOperators, removeOperator } from "@/lib/server/auth/operators"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { INVITED_ROLES, type InvitedRole, OPERATORS } from "@/lib/shared/accounts/roles"
import { emailAddress } from "./arguments"
import { type Outcome, type RunCommand, table } from "./outcome"

/** Lists every operator, after a change if there is one. */
async function list(): Promise<Outcome> {
  const operators = await listOperators(runtime(), OPERATOR)
  const rows = operators.map(({ id, email, role, invitedAt, isUser }) => [
    id,
    email,
    OPERATORS[role].label,
    invitedAt?.slice(0, 10) ?? "OPERATOR_EMAILS",
    isUser ? "yes" : "not yet",
  ])
  const json = operators.map(({ id, email, role, invitedAt, isUser }) => ({
    ...{ id, email, role, invited_at: invitedAt, signed_in: isUser },
  }))
  return { json: { operators: json }, text: table(["Id", "Operator", "Role", "Invited", "Signed in"], rows) }
}

async function invite(email: string, role: InvitedRole): Promise<Outcome> {
  await inviteOperator(runtime(), OPERATOR, { email, role })
  return list()
}

async function remove(id: string): Promise<Outcome> {
  await removeOperator(runtime(), OPERATOR, { id })
  return list()
}

/** `operator invite|list|remove` */
export function operatorCommands(act: RunCommand): Command {
  return new Command("operator")
    .description("choose who may open the operator's area, besides the admins of OPERATOR_EMAILS")
    .addCommand(
      new Command("invite")
        .description("let a person operate the service, or change the role, and mail the person")
        .argument("<email>", "the address that the person signs in with", emailAddress)
        .addOption(
          new Option("--role <role>", "support reads; finance also credits, refunds and settles")
            .choices(INVITED_ROLES)
            .makeOptionMandatory(),
        )
        .action((email: string, { role }: { role: InvitedRole }) => act(() => invite(email, role))),
    )
    .addCommand(new Command("list").description("list every operator").action(() => act(list)))
    .addCommand(
      new Command("remove")
        .description("end what an invited person may do, at once, and mail the person")
        .argument("<id>", "opr_…, as `operator list` prints it")
        .action((id: string) => act(() => remove(id))),
    )
}
