import { Command } from "commander"
import { type FleetMember, listFleet } from "@/lib/server/health/list-fleet"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { clockText, FLEET_STATES, jobsText } from "@/lib/shared/operator/fleet"
import { type Outcome, type RunCommand, table } from "./outcome"

const jsonOf = ({ failingJobs, clockAheadMs, startedAt, seenAt, ...member }: FleetMember) => ({
  ...member,
  failing_jobs: failingJobs,
  clock_ahead_ms: clockAheadMs,
  started_at: startedAt,
  seen_at: seenAt,
})

async function fleet(): Promise<Outcome> {
  const members = await listFleet(runtime(), OPERATOR)
  const rows = members.map((member) => [
    member.host,
    member.address,
    [FLEET_STATES[member.state].label, member.reason].filter(Boolean).join(": "),
    member.version,
    member.schema,
    jobsText(member),
    clockText(member),
    member.startedAt.slice(0, 19).replace("T", " "),
    member.seenAt.slice(0, 19).replace("T", " "),
  ])
  const heads = ["Host", "Address", "State", "Version", "Schema", "Jobs", "Clock", "Started (UTC)", "Last seen (UTC)"]
  return { json: { servers: members.map(jsonOf) }, text: table(heads, rows) }
}

/** `fleet` */
export const fleetCommand = (act: RunCommand): Command =>
  new Command("fleet")
    .description("list every server of the last day with its version and state")
    .action(() => act(fleet))
