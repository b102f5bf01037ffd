import { Skeleton, SkeletonTable } from "@/components/ui/skeleton"

export default function AuditLogLoading() {
  return (
    <>
      <Skeleton className="mb-3 h-8 w-64 pointer-coarse:h-11" />
      <SkeletonTable label="The audit log is loading" columns={4} rows={10} />
    </>
  )
}
