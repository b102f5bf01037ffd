import { Skeleton } from "@/components/ui/skeleton"

export default function StartLoading() {
  return (
    <div className="max-w-3xl">
      <p role="status" className="sr-only">
        The first steps are loading
      </p>
      {["h-9", "h-64", "h-5"].map((height) => (
        <div key={height} className="flex flex-col gap-3 border-line border-t py-6">
          <Skeleton className="h-6 w-44" />
          <Skeleton className="h-10 max-w-text" />
          <Skeleton className={height} />
        </div>
      ))}
    </div>
  )
}
