// Adding a set opens it. One module for both: the bundler would put what they share into two scripts.

export { newSet } from "./model/new-set"
export { SetPage } from "./set-page"
