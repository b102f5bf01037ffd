import { Section } from "@/components/ui/section"
import { TextLink } from "@/components/ui/text-link"
import { type ErrorCode, errorTable, retryOf } from "@/lib/shared/errors"

interface RequestErrorProps {
  code: string
  status: number
}

/** Shows what an error means and what to do about it. Its own message is not stored, because it may name a question. */
export function RequestError({ code, status }: RequestErrorProps) {
  const known = code in errorTable ? errorTable[code as ErrorCode] : null
  if (!known)
    return (
      <Section id="error" title="No response was read">
        <p className="max-w-text">
          The client closed the connection before the response was sent. The request was not charged. Raise the client's
          timeout if this happens often: an answer can take up to 100 seconds.
        </p>
      </Section>
    )
  return (
    <Section id="error" title={`${status} ${code}`}>
      <div className="flex max-w-text flex-col gap-2">
        <p>{known.message} The request was not charged.</p>
        <p>
          <span className="font-medium">What to do:</span> <Advice text={known.advice} />
        </p>
        <p>
          <span className="font-medium">Retry:</span> <Advice text={retryOf(status)} />
        </p>
        <p>
          <TextLink alone href="/docs/errors#all-codes">
            Read about all errors
          </TextLink>
        </p>
      </div>
    </Section>
  )
}

/** Shows the names of fields, which the texts put between backquotes, as code. */
const Advice = ({ text }: { text: string }) =>
  text.split("`").map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part))
