import { formatDate } from "@/lib/shared/format"

/** Says how sure an alarm is, under which condition, and when it was first clear. A range chosen by what it shows is not covered. */
export function Sureness({ alarmAtMs }: { alarmAtMs: number }) {
  return (
    <>
      This is at least 95% sure if days and thresholds were chosen before their outcomes were seen. It was first clear
      with the outcome of {formatDate(new Date(alarmAtMs))}.
    </>
  )
}
