import { Fact } from "@/components/ui/fact"
import { Section } from "@/components/ui/section"
import type { RequestDetail } from "@/lib/server/usage/request-details"
import { formatMs } from "@/lib/shared/format"

type Stage = keyof RequestDetail["stagesMs"]

/** The stages in their order, in the words of a client. */
const STAGES: [Stage, string][] = [
  ["read", "Body received"],
  ["check", "Body checked"],
  ["hold", "Credit reserved"],
  ["engine", "Queue and model"],
  ["capture", "Charged"],
]

/** Lists how long each stage of a request took. Stages that did not begin are left out. */
export function RequestStages({ stagesMs }: Pick<RequestDetail, "stagesMs">) {
  const begun = STAGES.filter(([stage]) => stagesMs[stage] !== null)
  if (begun.length === 0) return null
  return (
    <Section id="stages" title="Latency by stage">
      <dl className="grid grid-cols-2 gap-x-8 gap-y-5 sm:grid-cols-3 lg:grid-cols-5">
        {begun.map(([stage, label]) => (
          <Fact key={stage} label={label}>
            {formatMs(stagesMs[stage])}
          </Fact>
        ))}
      </dl>
    </Section>
  )
}
