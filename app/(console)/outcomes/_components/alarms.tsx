import { ActionButton } from "@/components/form/action-button"
import { Alert } from "@/components/ui/alert"
import { Section } from "@/components/ui/section"
import { type Column, Table } from "@/components/ui/table"
import type { OutcomeAlarm, WatchedQuestion } from "@/lib/server/outcomes/outcome-alarms"
import type { OutcomeQuestion } from "@/lib/server/outcomes/schema"
import { formatShare, intervalText } from "@/lib/shared/evaluate/figures/figure-text"
import { formatCount, formatDate } from "@/lib/shared/format"
import type { LiveRule } from "@/lib/shared/outcomes/live-figures"
import { errorSequence } from "@/lib/shared/statistics/error-sequence"
import { endOutcomeAlarmsAction, setOutcomeAlarmsAction } from "../actions"
import { claimOf, findingOf } from "./claim-text"

const columnsFor = (isNoul: boolean): readonly Column<OutcomeAlarm>[] => [
  { head: "Alarm unless", phone: "title", cell: (alarm) => claimOf(alarm, isNoul) },
  { head: "Counted", phone: "line", phoneLabel: true, align: "right", cell: ({ counted }) => formatCount(counted) },
  {
    head: "Wrong",
    phone: "value",
    align: "right",
    cell: ({ claim, errors }) => (claim === "calibration" ? "–" : formatCount(errors)),
  },
  {
    head: "95% at any time",
    phone: "end",
    align: "right",
    cell: ({ claim, errors, counted }) =>
      claim === "calibration" ? "–" : intervalText(errorSequence(errors, counted), formatShare),
  },
  { head: "Fired", align: "right", cell: ({ firedAt }) => (firedAt === null ? "–" : formatDate(new Date(firedAt))) },
]

interface AlarmsProps {
  chosen: OutcomeQuestion
  /** The thresholds that alarms would be set for. */
  rule: LiveRule
  /** Null while the question has no alarms. */
  watched: WatchedQuestion | null
  /** Whether the actor may set alarms, and the account keeps outcomes. */
  canSet: boolean
  /** For how many days outcomes are kept. */
  keptDays: number
}

/** Shows the alarms of a question, and sets or ends them. */
export function Alarms({ chosen, rule, watched, canSet, keptDays }: AlarmsProps) {
  const isNoul = chosen.type === "noul"
  const thresholds = [rule.from, rule.below].filter((each) => each !== null)
  return (
    <Section
      id="alarms"
      title="Alarms"
      hint={
        watched
          ? `Set on ${formatDate(new Date(watched.setAt))}. They count every outcome that was first reported since, whatever days you choose above. An outcome counts up to ${keptDays} days after its request.`
          : "An alarm tests a claim with every outcome from now on. Owners and developers get a mail when it fires."
      }
    >
      {watched ? <State watched={watched} isNoul={isNoul} /> : null}
      {canSet ? (
        <div className="flex flex-wrap items-center gap-3">
          <ActionButton action={setOutcomeAlarmsAction} input={{ ...chosen, rule }} pendingLabel="Setting…">
            {watched ? "Set alarms anew" : "Set alarms"}
          </ActionButton>
          {watched ? (
            <ActionButton
              action={endOutcomeAlarmsAction}
              input={chosen}
              pendingLabel="Ending…"
              variant="quiet"
              focusId="alarms"
            >
              End alarms
            </ActionButton>
          ) : null}
          <p className="text-ink-muted text-sm">
            {thresholds.length === 0
              ? "Without thresholds above, only calibration is tested."
              : `For the thresholds above, ${thresholds.join(" and ")}.`}
            {watched ? " Setting them anew starts at zero." : null}
          </p>
        </div>
      ) : null}
    </Section>
  )
}

function State({ watched: { alarms }, isNoul }: { watched: WatchedQuestion; isNoul: boolean }) {
  return (
    <div className="flex flex-col gap-4">
      {alarms.map((alarm) =>
        alarm.firedAt === null ? null : (
          <Alert key={alarm.claim} tone="danger" title={findingOf(alarm, isNoul)}>
            This was so at least for a time since the alarms were set. It is at least 95% sure, however often you look:
            the thresholds were set before the outcomes came. It was first clear on{" "}
            {formatDate(new Date(alarm.firedAt))}. Choose stricter thresholds, or evaluate the model again.
          </Alert>
        ),
      )}
      <Table
        caption="Alarms of this question"
        columns={columnsFor(isNoul)}
        rows={alarms}
        rowKey={({ claim }) => claim}
        empty={null}
      />
    </div>
  )
}
