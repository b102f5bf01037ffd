import type { Metadata } from "next"
import { EXAMPLE_ANSWER, EXAMPLE_CHECKED } from "@/lib/server/decisions/example-answer"
import { prepareAnswers } from "@/lib/shared/decisions/answers"
import { AnswerChart } from "@/questions/question-views"
import { ControlSamples } from "./_components/control-samples"
import { DataSamples } from "./_components/data-samples"
import { MoneySamples } from "./_components/money-samples"
import { Sample } from "./_components/sample"
import { ThemeSwitch } from "./_components/theme-switch"

export const metadata: Metadata = { title: "Components" }

/** Shows every component with sample data. `npm run dev` serves this page; a build leaves it out (next.config.ts). */
export default function GalleryPage() {
  return (
    <main id="content" className="mx-auto flex max-w-5xl flex-col gap-10 p-6">
      <ThemeSwitch />
      <ControlSamples />
      <DataSamples />
      <MoneySamples />
      {prepareAnswers(EXAMPLE_CHECKED, EXAMPLE_ANSWER).map((answer) => (
        <Sample key={answer.name} of={`AnswerChart: ${answer.name}`}>
          <AnswerChart answer={answer} />
        </Sample>
      ))}
    </main>
  )
}
