import { Skeleton, SkeletonTable } from "@/components/ui/skeleton"

const SETTINGS = ["e-mail", "account", "limits", "theme", "audit"]

export default function SettingsLoading() {
  return (
    <>
      {SETTINGS.map((name) => (
        <div
          key={name}
          className="grid gap-x-8 gap-y-3 border-line border-t py-6 md:grid-cols-[minmax(0,20rem)_minmax(0,1fr)]"
        >
          <Skeleton className="h-10 max-w-72" />
          <Skeleton className="h-10 max-w-96" />
        </div>
      ))}
      <div className="border-line border-t py-6">
        <Skeleton className="mb-3 h-10 max-w-text" />
        <SkeletonTable label="The settings are loading" columns={5} rows={2} />
      </div>
    </>
  )
}
