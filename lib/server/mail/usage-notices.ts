import { formatCount, formatDateTime } from "@/lib/shared/format"
import { KEY_MANAGERS, type Notices } from "./notice"

export interface UsageFacts {
  /** `hour` is the start of the hour, as ISO text. */
  errors_high: { hour: string; requests: number; failed: number }
}

export const USAGE_NOTICES: Notices<UsageFacts> = {
  errors_high: {
    label: "Many requests fail",
    event: "errors.high",
    isSecurity: false,
    roles: KEY_MANAGERS,
    sample: { hour: "2026-11-22T09:00:00.000Z", requests: 200, failed: 12 },
    write: ({ hour, requests, failed }) => ({
      subject: "Many of your requests fail",
      intro: `In the hour from ${formatDateTime(new Date(hour))} UTC, ${formatCount(failed)} of ${formatCount(requests)} requests failed with a status of 500 or above. See what they have in common`,
      action: { label: "Open requests", path: "/requests" },
      terms: "Failed requests cost nothing. You get one mail for each such hour, however many more requests fail.",
    }),
  },
}
