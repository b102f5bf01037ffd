import type { Metadata } from "next"
import { AnswerSamples } from "./_components/answer-samples"
import { ChartSamples } from "./_components/chart-samples"
import { ControlSamples } from "./_components/control-samples"
import { DataSamples } from "./_components/data-samples"
import { FeedbackSamples } from "./_components/feedback-samples"
import { FormSamples } from "./_components/form-samples"
import { ThemeSwitch } from "./_components/theme-switch"

export const metadata: Metadata = { title: "Components" }

/** Shows every component with sample data. `npm run dev` serves this page; a build leaves it out (next.config.ts). */
export default function GalleryPage() {
  return (
    <main id="content" className="mx-auto flex max-w-5xl flex-col gap-10 p-6">
      <ThemeSwitch />
      <ControlSamples />
      <FormSamples />
      <FeedbackSamples />
      <DataSamples />
      <ChartSamples />
      <AnswerSamples />
    </main>
  )
}
