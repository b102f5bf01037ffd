import { Section } from "@/components/ui/section"

const ELSEWHERE = "With a chat model and a gateway"
const HERE = "Here"

const DIFFERENCES = [
  {
    subject: "Answers",
    elsewhere: "Prose or a label, without how certain the model is.",
    here: "A probability for each possible answer. Your program applies its own thresholds.",
  },
  {
    subject: "Spend limits",
    elsewhere: "Checked against what was spent before, so requests in parallel exceed them.",
    here: "The maximum cost is reserved before a request runs. A key never spends more than its limit.",
  },
  {
    subject: "Failed requests",
    elsewhere: "May be charged, and you compare the invoice with your own log.",
    here: "Free. Each charge belongs to one answered request, and names its tokens and its price.",
  },
  {
    subject: "Your texts",
    elsewhere: "Often kept in a log of requests.",
    here: "Texts, questions and answers are never stored on the server or logged.",
  },
  {
    subject: "Quality",
    elsewhere: "Measured in a program that you write.",
    here: "Evaluate measures a model on your labelled rows, and finds the threshold that keeps errors below your target.",
  },
] as const

/** Compares the service with a chat model behind a gateway. On a phone, each subject is a paragraph: its texts are too long for columns. */
export function Differences() {
  return (
    <Section id="differences" title="What is different">
      <table className="w-full border-collapse text-left max-sm:block">
        <caption className="sr-only">What is different from asking a chat model through a gateway</caption>
        <thead className="text-ink-muted text-sm max-sm:hidden">
          <tr className="border-line border-b">
            <th scope="col">
              <span className="sr-only">Subject</span>
            </th>
            <th scope="col" className="px-2.5 py-2 font-normal">
              {ELSEWHERE}
            </th>
            <th scope="col" className="py-2 pl-2.5 font-normal">
              {HERE}
            </th>
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {DIFFERENCES.map(({ subject, elsewhere, here }) => (
            <tr
              key={subject}
              className="border-line border-b align-top max-sm:flex max-sm:flex-col max-sm:gap-1 max-sm:py-3"
            >
              <th scope="row" className="font-medium sm:w-40 sm:py-2.5">
                {subject}
              </th>
              <td className="text-ink-muted sm:w-[42%] sm:px-2.5 sm:py-2.5">
                <span className="sm:hidden">{ELSEWHERE}: </span>
                {elsewhere}
              </td>
              <td className="sm:py-2.5 sm:pl-2.5">
                <span className="text-ink-muted sm:hidden">{HERE}: </span>
                {here}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}
