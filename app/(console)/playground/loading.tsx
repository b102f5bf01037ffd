import { PageHeader } from "@/components/ui/page-header"
import { Skeleton } from "@/components/ui/skeleton"

/** The shape of the playground: the request, its answers beside it where there is room, and the bar to run it. */
export default function PlaygroundLoading() {
  return (
    <div className="flex flex-col lg:h-[calc(100dvh-4rem)] lg:min-h-140">
      <PageHeader title="Playground">Ask questions about a state and read the probabilities.</PageHeader>
      <p role="status" className="sr-only">
        The playground is loading
      </p>
      <Skeleton className="h-9 lg:hidden pointer-coarse:h-11" />
      <div className="grid min-h-0 flex-1 lg:grid-cols-2 lg:divide-x lg:divide-line lg:border-line lg:border-t">
        <div className="flex flex-col gap-6 py-5 lg:pr-6">
          <Skeleton className="h-9 max-w-80" />
          <Skeleton className="h-48" />
          <Skeleton className="h-56" />
        </div>
        <div className="flex flex-col gap-6 py-5 max-lg:hidden lg:pl-6">
          <Skeleton className="h-48" />
        </div>
      </div>
      <div className="grid grid-cols-2 items-end gap-3 border-line border-t py-3 sm:flex">
        <Skeleton className="h-15 sm:w-56" />
        <Skeleton className="h-15 sm:w-40" />
        <Skeleton className="h-9 sm:ml-auto sm:w-32" />
      </div>
    </div>
  )
}
