import { renderToStaticMarkup } from "react-dom/server"
import { expect, test } from "vitest"
import type { OutcomeAlarm, WatchedQuestion } from "@/lib/server/outcomes/outcome-alarms"
import { AlarmList } from "./alarm-list"
import { Alarms } from "./alarms"

const textOf = (html: string): string => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ")

const LATE = { question: "late", type: "noul", model: "m-1" } as const
const RULE = { from: 0.9, below: null, targetAbove: 0.05, targetBelow: 0.05 }
const FIRED = "2026-11-24T12:00:00.000Z"

const above = (change: Partial<OutcomeAlarm> = {}): OutcomeAlarm => ({
  ...{ claim: "above", threshold: 0.9, target: 0.05, counted: 1_200, errors: 30, firedAt: null },
  ...change,
})
const calibration = (firedAt: string | null = null): OutcomeAlarm => ({
  ...{ claim: "calibration", threshold: null, target: null, counted: 1_200, errors: 0, firedAt },
})
const watching = (...alarms: OutcomeAlarm[]): WatchedQuestion => ({
  ...{ ...LATE, setAt: "2026-11-20T12:00:00.000Z", alarms },
})

/** Renders the alarms of a question, as a member who cannot set them sees them. */
const shown = (watched: WatchedQuestion | null): string =>
  textOf(renderToStaticMarkup(<Alarms chosen={LATE} rule={RULE} watched={watched} canSet={false} keptDays={90} />))

test("an alarm that fired says what is sure, when, and that it holds whatever days are chosen", () => {
  const text = shown(watching(above({ errors: 120, firedAt: FIRED }), calibration()))
  expect(text).toContain("Automatic yes: more than 5.0% were wrong")
  expect(text).toContain("at least for a time since the alarms were set")
  expect(text).toContain("at least 95% sure, however often you look")
  expect(text).toContain("first clear on 24 Nov 2026")
  expect(text).toContain("every outcome that was first reported since, whatever days you choose")
  expect(text).toContain("An outcome counts up to 90 days after its request")
  expect(text).not.toContain("The predictions did not come true")
})

test("alarms that are silent show what they counted and the interval of the rate", () => {
  const text = shown(watching(above(), calibration()))
  expect(text).toMatch(/Automatic yes from 0\.9: at most 5\.0% wrong 1,200 30 1\.\d% to [34]\.\d%/)
  expect(text).not.toContain("95% sure")
})

test("an alarm of calibration says that predictions did not come true", () => {
  expect(shown(watching(calibration(FIRED)))).toContain("The predictions did not come true as often as they said")
})

test("a question without alarms says what one does", () => {
  expect(shown(null)).toContain("An alarm tests a claim with every outcome from now on")
})

test("questions of which an alarm fired come first, and link to their thresholds", () => {
  const silent = { ...watching(above(), calibration()), question: "a" }
  const html = renderToStaticMarkup(
    <AlarmList
      questions={[silent, watching(above({ firedAt: FIRED }), calibration())]}
      search={{ range: { days: 30 }, chosen: null, rule: { ...RULE, from: null } }}
    />,
  )
  expect(textOf(html)).toMatch(/late .*1 of 2 fired.* a .*None fired/)
  expect(html).toContain("question=late&amp;type=noul&amp;model=m-1&amp;yes=0.9")
})
