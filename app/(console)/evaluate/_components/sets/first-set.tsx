import type { ComponentProps } from "react"
import { CodeBlock } from "@/components/ui/code-block"
import { TextLink } from "@/components/ui/text-link"
import { SampleResult } from "./sample-result"

const ROWS = `body,refund,team
"The lamp arrived broken. Please refund me.",yes,shipping
"How do I change my password?",no,product
"My card was charged twice.",yes,billing`

/** Shows a new user what the rows look like and what comes of them. */
export function FirstSet(sample: ComponentProps<typeof SampleResult>) {
  return (
    <>
      <Rows />
      <SampleResult {...sample} />
    </>
  )
}

function Rows() {
  return (
    <section aria-labelledby="first-set" className="grid gap-6 lg:grid-cols-2">
      <div className="flex flex-col gap-3">
        <h2 id="first-set" className="font-semibold text-lg">
          From rows to a threshold
        </h2>
        <ol className="flex list-decimal flex-col gap-2 pl-5 text-ink-muted">
          <li>
            Open rows: one column with the text, and one with each answer that you know. Answers may also follow later,
            from another file.
          </li>
          <li>See the price, set a cap and run. You can pause at any time.</li>
          <li>
            Say how many wrong answers you accept, such as 2%. You get the threshold above which the model may act
            alone.
          </li>
        </ol>
        <p className="text-ink-muted">
          The sample costs little and shows all of it.{" "}
          <TextLink href="/docs/thresholds">Read about thresholds</TextLink>
        </p>
      </div>
      <CodeBlock label="rows.csv" code={ROWS} className="self-start" />
    </section>
  )
}
