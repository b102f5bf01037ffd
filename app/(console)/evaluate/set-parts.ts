// Adding a set opens it. One module for both: the bundler would put what they share into two scripts.
export { SetPage } from "./_components/set-page"
export { newSet } from "./model/new-set"
