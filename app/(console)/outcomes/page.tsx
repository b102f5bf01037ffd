import type { Metadata } from "next"
import { PageHeader } from "@/components/ui/page-header"
import { requireSession } from "@/lib/server/auth/session"
import { keepsOutcomes } from "@/lib/server/outcomes/keep-outcomes"
import { listOutcomeAlarms } from "@/lib/server/outcomes/outcome-alarms"
import { listOutcomeQuestions, readOutcomes } from "@/lib/server/outcomes/read-outcomes"
import type { OutcomeQuestion } from "@/lib/server/outcomes/schema"
import { type OutcomesSearch, outcomesHref, parseOutcomesSearch } from "@/lib/server/outcomes/search"
import { hasRight, type UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { RangeBar } from "../_components/range-bar"
import { AlarmList } from "./_components/alarm-list"
import { Alarms } from "./_components/alarms"
import { LiveQuestion } from "./_components/live-question"
import { QuestionList } from "./_components/question-list"
import { Upload } from "./_components/upload"

export const metadata: Metadata = { title: "Outcomes" }

const isSameQuestion = (one: OutcomeQuestion, other: OutcomeQuestion): boolean =>
  one.question === other.question && one.type === other.type && one.model === other.model

/** Reads the outcomes of a question, and has their figures computed. They are null without outcomes. */
async function readFigures(actor: UserActor, { range, rule }: OutcomesSearch, chosen: OutcomeQuestion) {
  const { outcomes, ...read } = await readOutcomes(runtime(), actor, { ...chosen, range })
  const figures = outcomes.length === 0 ? null : await runtime().outcomeFigures.of(outcomes, rule)
  return { ...read, count: outcomes.length, figures }
}

/** Compares predictions with what really happened, as the account's programs report it. */
export default async function OutcomesPage({ searchParams }: PageProps<"/outcomes">) {
  const actor = await requireSession("/outcomes")
  const search = parseOutcomesSearch(await searchParams)
  const { range, chosen } = search
  const mayManage = hasRight(actor, "outcomes.manage")
  const [isOn, questions, watched, read] = await Promise.all([
    keepsOutcomes(runtime(), actor.accountId),
    listOutcomeQuestions(runtime(), actor, { range }),
    listOutcomeAlarms(runtime(), actor),
    chosen ? readFigures(actor, search, chosen) : null,
  ])
  return (
    <>
      <PageHeader title="Outcomes">
        What really happened with answers, as your programs report it. Days are in UTC.
      </PageHeader>
      <div className="flex flex-col gap-8">
        <RangeBar range={range} hrefOf={(days) => outcomesHref(search, { range: { days } })} />
        <QuestionList questions={questions} search={search} isOn={isOn} />
        {watched.length > 0 ? <AlarmList questions={watched} search={search} /> : null}
        {chosen && read ? (
          <>
            <LiveQuestion {...read} chosen={chosen} search={search} />
            <Alarms
              chosen={chosen}
              rule={search.rule}
              watched={watched.find((each) => isSameQuestion(each, chosen)) ?? null}
              canSet={isOn && mayManage}
              keptDays={runtime().env.RETENTION_DAYS}
            />
          </>
        ) : null}
        {isOn && mayManage ? <Upload /> : null}
      </div>
    </>
  )
}
