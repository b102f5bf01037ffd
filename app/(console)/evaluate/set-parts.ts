// A set that was added opens next, so both load as one module. As two, the bundler would put what they share into two scripts.

export { newSet } from "@/lib/shared/evaluate/rows/new-set"
export { SetPage } from "./set-page"
