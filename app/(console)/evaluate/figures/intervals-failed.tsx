import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"

/** Says that the browser computed no intervals, and offers another attempt. */
export function IntervalsFailed({ onRetry, children }: { onRetry: () => void; children?: string }) {
  return (
    <Alert
      tone="warn"
      role="alert"
      title="The intervals could not be computed"
      action={
        <Button variant="secondary" size="sm" className="print:hidden" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      The part of this page that computes them did not start. {children}
    </Alert>
  )
}
