import { Fact, Facts } from "@/components/ui/fact"
import { Section } from "@/components/ui/section"
import type { ReadOutcomes } from "@/lib/server/outcomes/read-outcomes"
import type { OutcomeQuestion } from "@/lib/server/outcomes/schema"
import type { OutcomesSearch } from "@/lib/server/outcomes/search"
import { formatShare } from "@/lib/shared/evaluate/figures/figure-text"
import { countOf, formatCount } from "@/lib/shared/format"
import { shortText } from "@/lib/shared/long-runs"
import type { LiveFigures } from "@/lib/shared/outcomes/live-figures"
import { scaleOf } from "@/questions/question-types"
import { Calibration } from "./calibration"
import { RuleForm } from "./rule-form"
import { SideTable } from "./side-table"
import { WeekTable } from "./week-table"

interface LiveQuestionProps extends Omit<ReadOutcomes, "outcomes"> {
  /** How many outcomes there are. */
  count: number
  /** Null without outcomes. */
  figures: LiveFigures | null
  chosen: OutcomeQuestion
  search: OutcomesSearch
}

/** Shows what happened with the answers to one question by one model. */
export function LiveQuestion({ chosen, search, count, figures, isCut, answers }: LiveQuestionProps) {
  const title = <span className="wrap-anywhere">{shortText(chosen.question, 80)}</span>
  if (!figures)
    return (
      <Section id="question" title={title}>
        <p className="text-ink-muted">This question has no outcomes in these days.</p>
      </Section>
    )
  const isNoul = chosen.type === "noul"
  return (
    <>
      <Section id="question" title={title} hint={`Answered by ${chosen.model}, as ${chosen.type}.`}>
        <Facts label="Outcomes of this question">
          <Fact label="Outcomes" hint={isCut ? "Only the newest are shown. Choose fewer days." : undefined}>
            {formatCount(count)}
          </Fact>
          <Fact label={`Answers as ${chosen.type}`} hint="To all questions of this type, by this model">
            {formatCount(answers)}
          </Fact>
          {count <= answers ? (
            <Fact label="Answers with an outcome" hint="More, if other questions are of this type">
              {formatShare(count / answers)}
            </Fact>
          ) : null}
        </Facts>
        <p className="max-w-text text-ink-muted text-sm">
          Outcomes of reviewed answers alone say little about the others. Review a random share of all answers, and send
          it as <code>sampled_share</code>: rates are then shown weighted by it. Intervals are 95% sure for days and
          thresholds that you chose before you saw their outcomes.
        </p>
        <RuleForm search={search} />
        <SideTable sides={figures.sides} isNoul={isNoul} />
      </Section>
      <Calibration figures={figures} scale={scaleOf(chosen.type)} rule={search.rule} />
      <Section id="weeks" title="By week" hint={`${countOf(count, "outcome")}, by when each became known.`}>
        <WeekTable weeks={figures.weeks} />
      </Section>
    </>
  )
}
