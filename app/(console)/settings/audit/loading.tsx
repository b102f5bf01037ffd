import { Skeleton, SkeletonTable } from "@/components/ui/skeleton"

/** Shows the placeholder of the audit log. */
export default function AuditLogLoading() {
  return (
    <>
      <Skeleton className="mb-3 h-8 w-64 pointer-coarse:h-11" />
      <SkeletonTable label="The audit log is loading" columns={4} rows={10} />
    </>
  )
}
