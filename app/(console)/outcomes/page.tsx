import type { Metadata } from "next"
import { PageHeader } from "@/components/ui/page-header"
import { requireSession } from "@/lib/server/auth/session"
import { keepsOutcomes } from "@/lib/server/outcomes/keep-outcomes"
import { listOutcomeQuestions, readOutcomes } from "@/lib/server/outcomes/read-outcomes"
import { outcomesHref, parseOutcomesSearch } from "@/lib/server/outcomes/search"
import { runtime } from "@/lib/server/platform/runtime"
import { RangeBar } from "../_components/range-bar"
import { LiveQuestion } from "./_components/live-question"
import { QuestionList } from "./_components/question-list"

export const metadata: Metadata = { title: "Outcomes" }

/** Compares predictions with what really happened, as the account's programs report it. */
export default async function OutcomesPage({ searchParams }: PageProps<"/outcomes">) {
  const actor = await requireSession("/outcomes")
  const search = parseOutcomesSearch(await searchParams)
  const { range, chosen } = search
  const [isOn, questions, read] = await Promise.all([
    keepsOutcomes(runtime(), actor.accountId),
    listOutcomeQuestions(runtime(), actor, { range }),
    chosen ? readOutcomes(runtime(), actor, { ...chosen, range }) : null,
  ])
  return (
    <>
      <PageHeader title="Outcomes">
        What really happened with answers, as your programs report it. Days are in UTC.
      </PageHeader>
      <div className="flex flex-col gap-8">
        <RangeBar range={range} hrefOf={(days) => outcomesHref(search, { range: { days } })} />
        <QuestionList questions={questions} search={search} isOn={isOn} />
        {chosen && read ? <LiveQuestion {...read} chosen={chosen} search={search} /> : null}
      </div>
    </>
  )
}
